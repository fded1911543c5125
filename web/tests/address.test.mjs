// The address holds the whole program: what is shared is seen again by anyone, and no address does harm.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { showsChance, showsExactly, write, written } from './support/ask.mjs';
import { writes } from './support/play.mjs';
import { odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit, shared } = visits();
const packed = (state) => `#v1.${deflateRawSync(typeof state === 'string' ? state : JSON.stringify(state)).toString('base64url')}`;
const hashOf = (link) => link.slice(link.indexOf('#'));

async function share(page) {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const link = page.getByRole('textbox', { name: 'Link' });
  await link.waitFor();
  const address = await link.inputValue();
  await eventually(async () => assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address));
  await page.getByRole('button', { name: 'Close' }).click();
  assert.ok(address.startsWith(shared.server.address));
  return address;
}

test('one line stays readable in its address', async (t) => {
  const page = await visit(t);
  await write(page, '3d8 + 2');
  const address = await share(page);
  assert.equal(decodeURIComponent(hashOf(address)), '#e=3d8 + 2');
  const other = await visit(t, { hash: hashOf(address) });
  await showsExactly(other, odds('3d8 + 2'));
});

test('a program with moved inputs and files is the same in another browser', async (t) => {
  const page = await visit(t);
  await page.getByRole('button', { name: /^Drag the target/ }).click();
  await page.getByRole('button', { name: 'target: more' }).click();
  const program = await written(page);
  await showsChance(page, odds(program, '--set', 'target=16'));
  const address = await share(page);
  assert.match(hashOf(address), /^#v1\.[\w-]+$/);
  const other = await visit(t, { hash: hashOf(address) });
  await showsChance(other, odds(program, '--set', 'target=16'));
  assert.equal(await written(other), program);
});

test('a reload keeps what was written', async (t) => {
  const page = await visit(t);
  await write(page, '5d4');
  await showsExactly(page, odds('5d4'));
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await eventually(async () => assert.match(page.url(), /5d4/));
  await page.reload();
  await showsExactly(page, odds('5d4'));
});

test('a form is shared as it was filled in', async (t) => {
  const page = await visit(t);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('button', { name: /^Chronicles of Darkness/ }).click();
  await page.getByLabel('Dice pool', { exact: true }).fill('9');
  await page.getByRole('radio', { name: '8-again' }).check({ force: true });
  await writes(page, 'cofd.action(9, again: 8)');
  const other = await visit(t, { hash: hashOf(await share(page)) });
  await writes(other, 'cofd.action(9, again: 8)');
});

test('hostile addresses end in a message and a page that works', async (t) => {
  const bomb = deflateRawSync(Buffer.alloc(50_000_000, 'a')).toString('base64url');
  const addresses = [
    '#v1.garbage', '#v1.', '#v1.%%%', '#nonsense', '#e=%E0%A4%A', `#v1.${'A'.repeat(600_000)}`, `#v1.${bomb}`,
    packed('null'), packed('[1, 2'), packed({ v: 2, at: 'ask', text: '3d6' }), packed({ v: 1, text: 7 }),
  ];
  for (const hash of addresses) {
    const page = await visit(t, { hash });
    await page.getByRole('alert').getByText('This link could not be read').waitFor();
    await write(page, '2d6');
    await showsExactly(page, odds('2d6'));
    await page.close();
  }
});

test('strange states are cut to what makes sense', async (t) => {
  const states = [
    { v: 1, at: 'elsewhere', text: '2d6', view: 'sideways', inputs: { a: 7 }, files: 'no', play: 3, seed: {} },
    { v: 1, at: 'ask', text: '2d6', __proto__: { text: 'd4' }, constructor: 'x', inputs: { __proto__: 'x' } },
    { v: 1, at: 'play', text: '2d6', play: { call: 'no.such', values: { pool: [[[[]]]] } } },
    { v: 1, at: 'play', text: '2d6', play: { call: 'cofd.action', values: { pool: '<img src=x onerror=alert(1)>', rote: 'yes' } } },
  ];
  for (const state of states) {
    const page = await visit(t, { hash: packed(state) });
    if (state.at === 'play') await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await showsExactly(page, odds('2d6'));
    await page.close();
  }
});

test('a program that is markup stays text', async (t) => {
  const text = '<img src=x onerror=alert(1)> "<script>alert(2)</script>"';
  const page = await visit(t, { hash: `#e=${encodeURIComponent(text)}` });
  page.on('dialog', () => assert.fail('something was executed'));
  await page.getByRole('list', { name: 'Problems' }).waitFor();
  await eventually(async () => assert.equal(await written(page), text));
  assert.equal(await page.locator('img').count(), 0);
});

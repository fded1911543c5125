// Work that does not end: the page stays alive, says what it costs, and lets go of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, showsExactly, write } from './support/ask.mjs';
import { odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();
const COSTLY = '60d100kh30';

/** Allows more until the work is under way. */
async function begin(page) {
  await write(page, COSTLY);
  for (let times = 0; times < 3; times++) {
    const more = page.getByRole('button', { name: 'Allow ten times more' });
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    await more.or(stop).first().waitFor();
    if (await stop.isVisible()) return;
    await more.click();
    await eventually(async () => assert.ok(await stop.isVisible() || (await answer(page).getAttribute('aria-busy')) === 'false'));
  }
}

test('too much work is refused, and more can be allowed', async (t) => {
  const page = await visit(t);
  await write(page, '1000d1000kh500');
  await page.getByRole('button', { name: 'Allow ten times more' }).waitFor();
  assert.match(await answer(page).innerText(), /more work than/);
});

test('a budget that is raised is enough', async (t) => {
  const page = await visit(t);
  const program = 'let x = 200d20kh50; x + 100d10kh3';
  await write(page, program);
  await page.getByRole('button', { name: 'Allow ten times more' }).click();
  const { mean } = odds(program, '--steps', '500000000');
  assert.ok(mean);
  await page.getByRole('slider', { name: /^Chart/ }).waitFor();
  await eventually(async () => assert.equal(await page.getByRole('list', { name: 'Problems' }).count(), 0), 60_000);
});

test('the page answers while a program runs away, and Stop ends it', async (t) => {
  const page = await visit(t);
  await begin(page);
  const begun = Date.now();
  await page.getByRole('button', { name: /^Colours:/ }).click();
  await eventually(async () => assert.equal(await page.locator('html').getAttribute('data-theme'), 'light'), 2000);
  await page.getByRole('button', { name: 'Roll it' }).click();
  await page.getByRole('region', { name: 'The roll' }).waitFor();
  assert.ok(Date.now() - begun < 10_000, 'a roll does not wait for the odds');
  assert.ok(await page.getByRole('progressbar').isVisible());
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('Stopped.').waitFor();
  await write(page, '3d6');
  await showsExactly(page, odds('3d6'));
});

test('what is typed next replaces what still runs', async (t) => {
  const page = await visit(t);
  await begin(page);
  await write(page, '2d6');
  await showsExactly(page, odds('2d6'));
  assert.equal(await page.getByRole('button', { name: 'Stop', exact: true }).count(), 0);
});

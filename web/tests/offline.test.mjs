// Loaded once, the page needs neither network nor server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showsExactly, write } from './support/ask.mjs';
import { serve } from './support/server.mjs';
import { odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();

test('without network and server the page loads again, computes, rolls and plays', async (t) => {
  const server = await serve();
  t.after(() => server.stop());
  const page = await visit(t, { server });
  await showsExactly(page, odds('4d6kh3'));
  await page.evaluate(() => navigator.serviceWorker.ready);
  await eventually(() => page.evaluate(async () => {
    if (!navigator.serviceWorker.controller) throw new Error('the page is not looked after yet');
  }));
  await page.context().setOffline(true);
  await server.stop();
  await page.reload();
  await write(page, '3d10');
  await showsExactly(page, odds('3d10'));
  await page.getByRole('button', { name: 'Roll it' }).click();
  await page.getByRole('region', { name: 'The roll' }).waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('button', { name: /^Crucible/ }).waitFor();
  await page.goto(`${server.address}embed.html?theme=dark#e=2d6`);
  await page.getByRole('heading', { name: '2d6' }).waitFor();
  await page.getByRole('slider', { name: /outcomes, arrow keys/ }).waitFor();
});

test('everything that the page is made of is stored', async (t) => {
  const page = await visit(t);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const stored = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return { names, files: requests.flat().map((request) => new URL(request.url).pathname) };
  });
  assert.equal(stored.names.length, 1);
  assert.match(stored.names[0], /^astragal-[0-9a-f]{12}$/);
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname));
  for (const file of loaded.filter((name) => name.startsWith('/assets/'))) assert.ok(stored.files.includes(file), file);
  for (const ending of ['.wasm', '.js', '.css']) assert.ok(stored.files.some((file) => file.endsWith(ending)), ending);
});

test('what an older version stored is removed, what others stored is not', async (t) => {
  const page = await visit(t);
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await caches.open('astragal-000000000000');
    await caches.open('of-somebody-else');
    await registration.unregister();
  });
  await page.reload();
  await eventually(async () => {
    const names = await page.evaluate(() => navigator.serviceWorker.ready.then(() => caches.keys()));
    assert.ok(!names.includes('astragal-000000000000') && names.includes('of-somebody-else'), names.join(', '));
  });
});

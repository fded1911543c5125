// Fast and lean: the first answer needs little, what is rarely needed comes later, what nobody sees is not written, and the
// page says what it waits for.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { answer, editor, showsChance, showsExactly, write } from './support/ask.mjs';
import { odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit, shared } = visits();
const CEILINGS = JSON.parse(readFileSync(new URL('../sizes.json', import.meta.url), 'utf8'));
const LATER = /\/astragal_(often|last)-[^/]*\.wasm$/;

/** A visit on which the later parts of the engine are held until they are let go. */
async function without(t, hash) {
  const context = await shared.browser.newContext({ serviceWorkers: 'block' });
  t.after(() => context.close());
  const held = [];
  let free = false;
  await context.route(LATER, (route) => (free ? route.continue() : held.push(route)));
  const page = await visit(t, { context, hash });
  return { page, held, letGo: () => ((free = true), Promise.all(held.map((route) => route.continue()))) };
}

test('the first part of the engine answers alone, also what is typed', async (t) => {
  const { page, held, letGo } = await without(t);
  await page.getByRole('slider', { name: /^Chart/ }).waitFor();
  await eventually(async () => assert.ok(held.length > 0, 'the next part is on its way'));
  for (const program of ['3d6', '2d20kh1 + 5', 'd%']) {
    await write(page, program);
    await showsExactly(page, odds(program));
  }
  await letGo();
});

test('what needs a later part waits for it, says so, and is answered', async (t) => {
  const { page, letGo } = await without(t, '#e=d20%20%2B%207%20%3E%3D%2016');
  await page.getByText('Loading the engine').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Stop', exact: true }).count(), 0, 'nothing is computed');
  await letGo();
  await showsChance(page, odds('d20 + 7 >= 16'));
  await eventually(async () => assert.equal(await page.getByText('Loading the engine').count(), 0));
});

test('a part that does not come is said, and asked for again', async (t) => {
  const context = await shared.browser.newContext({ serviceWorkers: 'block' });
  t.after(() => context.close());
  let gone = true;
  await context.route(LATER, (route) => (gone ? route.fulfill({ status: 503 }) : route.continue()));
  const page = await context.newPage();
  await page.goto(`${shared.server.address}#e=d20%20%2B%205%20%3E%3D%2015`);
  await page.getByText('The engine could not be loaded').waitFor();
  gone = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await showsChance(page, odds('d20 + 5 >= 15'));
});

test('all that the first answer needs is below its ceiling', async (t) => {
  const { page } = await without(t);
  await page.getByRole('slider', { name: /^Chart/ }).waitFor();
  const files = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => ({
      name: entry.name, bytes: entry.encodedBodySize,
    })),
  );
  const first = files.filter(({ name }) => !/create-|favicon|icon|manifest/.test(name) && !LATER.test(name));
  const bytes = first.reduce((sum, file) => sum + file.bytes, 0);
  assert.ok(bytes > 100_000, JSON.stringify(first));
  // A page that was built quickly is not compressed.
  if (files.some(({ name, bytes: size }) => /\.js$/.test(name) && size > 100_000)) return t.skip('not compressed');
  assert.ok(bytes < CEILINGS.first, `${bytes} bytes`);
});

test('of hundreds of results a few are written; the others come when they are chosen', async (t) => {
  const lines = Array.from({ length: 120 }, (_, n) => `show "${n + 1} dice" = ${n + 1}d6`);
  const page = await visit(t);
  await write(page, lines.join('\n'));
  const all = page.getByRole('region', { name: 'All results' });
  await all.getByRole('searchbox').fill('120 dice');
  await all.getByRole('checkbox').check();
  await eventually(async () => assert.match(await answer(page).innerText(), /120 dice/));
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  const table = page.getByRole('region', { name: /^Table/ });
  const wanted = odds('120d6').outcomes.length;
  await eventually(async () => assert.match(await table.innerText(), /120 dice/));
  await page.getByRole('button', { name: /^Show all/ }).click();
  await eventually(async () => assert.ok(await table.locator('tbody tr').count() >= wanted));
});

test('a limit that no budget moves is not said to be one of the budget', async (t) => {
  const page = await visit(t);
  await write(page, 'fn f(n) = if n == 0 then d6 else f(n - 1) + d6\nf(100000)');
  await eventually(async () => assert.match(await answer(page).innerText(), /calls itself too often/i));
  assert.equal(await page.getByRole('button', { name: 'Allow ten times more' }).count(), 0);
});

test('every key is answered', async (t) => {
  const page = await visit(t);
  await write(page, '');
  await editor(page).pressSequentially('12d6', { delay: 5 });
  await showsExactly(page, odds('12d6'));
});

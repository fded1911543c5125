// Work that does not end: the page stays alive, says what it costs, and lets go of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, showsExactly, write } from './support/ask.mjs';
import { odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();
/** A loop of a hundred thousand rounds: each is cheap, so no faster arithmetic makes it end soon. */
const RUNAWAY = '(repeat with n = 0, x = 0 next n = n + 1, x = (x * 7 + d6) % 1009 until n == 100000).x';

/** Lets the budget refuse it, allows more, and leaves when the work is under way for long. */
async function begin(page) {
  await write(page, RUNAWAY);
  const more = page.getByRole('button', { name: 'Allow ten times more' });
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await more.click({ timeout: 60_000 });
  await stop.waitFor();
}

test('too much work is refused, and more can be allowed', async (t) => {
  const page = await visit(t);
  await write(page, '1000d1000kh500');
  await page.getByRole('button', { name: 'Allow ten times more' }).waitFor();
  assert.match(await answer(page).innerText(), /more work than/);
});

test('where no budget helps, none is offered, here or in a terminal', async (t) => {
  const page = await visit(t);
  await write(page, Array.from({ length: 1200 }, (_, n) => `let a${n} = ${n}`).join('\n') + '\nd6');
  await answer(page).getByText('put parts into functions').waitFor();
  assert.doesNotMatch(await answer(page).innerText(), /--steps|any budget/);
  assert.equal(await page.getByRole('button', { name: 'Allow ten times more' }).count(), 0);
});

test('a budget that is raised is enough', async (t) => {
  const page = await visit(t);
  const program = '(repeat with n = 0, x = 0 next n = n + 1, x = (x * 7 + d6) % 401 until n == 1000).x';
  await write(page, program);
  await page.getByRole('button', { name: 'Allow ten times more' }).click();
  const { mean } = odds(program, '--steps', '4000000000');
  assert.ok(mean);
  await page.getByRole('slider', { name: /^Chart/ }).waitFor();
  await eventually(async () => assert.equal(await page.getByRole('list', { name: 'Problems' }).count(), 0), 60_000);
});

test('the page answers while a program runs away, and Stop ends it', async (t) => {
  const page = await visit(t);
  await begin(page);
  await page.getByRole('button', { name: /^Colours:/ }).click();
  await eventually(async () => assert.equal(await page.locator('html').getAttribute('data-theme'), 'light'));
  await page.getByRole('button', { name: 'Roll it' }).click();
  await page.getByRole('region', { name: 'The roll' }).waitFor();
  assert.ok(await page.getByRole('progressbar').isVisible(), 'a roll does not wait for the odds');
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

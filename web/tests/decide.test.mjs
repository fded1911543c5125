// Where somebody decides: the policy under the chart, best play that says why, and a person who decides instead.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, download, showsExactly, write, written } from './support/ask.mjs';
import { asks, decided, GAMES, option, question } from './support/decide.mjs';
import { roll, rollItButton } from './support/play.mjs';
import { odds, roll as rolled } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();
const policy = (page) => page.getByRole('region', { name: 'Best play' });
const theRoll = (page) => page.getByRole('region', { name: 'The roll' });

test('the policy is a table under the chart, in the words of the terminal', async (t) => {
  const page = await visit(t);
  await write(page, GAMES.reroll);
  await showsExactly(page, odds(GAMES.reroll));
  const told = odds(GAMES.reroll).policy[0];
  await policy(page).waitFor();
  const rows = await policy(page).locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(rows, told.rules.map(({ when, take }) => [when, take]));
  const text = await policy(page).innerText();
  assert.match(text, /13 in the mean/);
  for (const label of ['keep', 'throw again']) assert.match(text, new RegExp(`Always ${label}\\s+loses ${told.decimals.loss[label]}`));
  await write(page, '4d6kh3');
  await showsExactly(page, odds('4d6kh3'));
  assert.equal(await policy(page).count(), 0);
});

test('a policy with many rules shows a few, and all on demand', async (t) => {
  const page = await visit(t);
  await write(page, GAMES.five);
  const rules = odds(GAMES.five).policy.map((choice) => choice.rules.length);
  await policy(page).waitFor();
  const rows = policy(page).locator('tbody tr');
  const few = rules.map((count) => Math.min(count, 12)).reduce((sum, count) => sum + count);
  await eventually(async () => assert.equal(await rows.count(), few));
  if (rules.some((count) => count > 12)) {
    await policy(page).getByRole('button', { name: /^Show all/ }).first().click();
    await eventually(async () => assert.equal(await rows.count(), rules.reduce((sum, count) => sum + count)));
  }
});

test('best play rolls by itself and says what it takes and why', async (t) => {
  const page = await visit(t);
  await write(page, GAMES.pig);
  await policy(page).waitFor();
  const { seed, lines } = await roll(page, rollItButton(page));
  const same = rolled(GAMES.pig, seed);
  const chosen = same.steps.filter((step) => step.options).map((step) => step.value);
  const taken = await theRoll(page).locator('.taken b').allTextContents();
  assert.deepEqual(taken, chosen);
  // What was taken and the throw that came of it stand side by side.
  assert.equal(await theRoll(page).locator('.pools > .pools > .taken:first-child').count(), taken.length);
  assert.match(await theRoll(page).locator('.taken').first().innerText(), /Best play takes\s+throw\s*worth 8\.1418\s+hold: 0/);
  assert.match(lines, /choose: throw \(throw: 8\.1418, hold: 0\)/);
});

test('a person decides: buttons, values on demand, and the best one after', async (t) => {
  const page = await visit(t);
  assert.equal(await page.getByRole('button', { name: 'I decide' }).count(), 0, 'nothing to decide');
  await write(page, GAMES.reroll);
  await decided(page);
  await rollItButton(page).click();
  await asks(page);
  const first = Number((await question(page).getByRole('heading').innerText()).match(/First (\d+)/)[1]);
  assert.match(await question(page).getByRole('heading').innerText(), /What do you take\?/);
  assert.ok(await question(page).getByRole('heading').evaluate((heading) => heading === document.activeElement), 'it is heard');
  assert.doesNotMatch(await option(page, /throw again/).innerText(), /10\.5/, 'not before it is asked for');
  await question(page).getByRole('button', { name: 'What are they worth?' }).click();
  await eventually(async () => assert.match(await option(page, /throw again/).innerText(), /10\.5/));
  assert.match(await option(page, /keep/).innerText(), new RegExp(`\\b${first}\\b`));
  await option(page, /keep/).click();
  await eventually(async () => assert.equal(await theRoll(page).locator('.headline').innerText(), String(first)));
  assert.ok(await theRoll(page).evaluate((place) => place === document.activeElement), 'who decided is led to what came of it');
  const verdict = first > 10 ? 'That is best' : 'Best was throw again: 10.5';
  await eventually(async () => assert.ok((await theRoll(page).locator('.taken').innerText()).includes(verdict), verdict));
  await eventually(async () => assert.ok((await theRoll(page).getByRole('status').textContent()).includes(verdict)));
});

test('a game goes on from choice to choice, by number keys, with the dice where they lie', async (t) => {
  const page = await visit(t);
  await write(page, GAMES.pig);
  await decided(page);
  await rollItButton(page).click();
  await asks(page);
  await eventually(async () => assert.match(await question(page).innerText(), /Points 0/));
  let throws = 0;
  for (; throws < 3 && (await question(page).count()); throws++) {
    const before = await theRoll(page).locator('.taken').count();
    await page.keyboard.press('2');
    await eventually(async () => assert.ok(await theRoll(page).locator('.taken').count() > before));
  }
  if (await question(page).count()) {
    const points = (await question(page).innerText()).match(/Points (\d+)/)[1];
    await page.keyboard.press('1');
    await eventually(async () => assert.equal(await theRoll(page).locator('.headline').innerText(), points));
  } else {
    assert.equal(await theRoll(page).locator('.headline').innerText(), '0');
  }
  const dice = await theRoll(page).locator('.die > .hidden').allTextContents();
  assert.equal(dice.length, throws);
  // What was decided is decided again when it is replayed, and by who opens a link to it.
  await page.getByText('Earlier rolls').click();
  const value = await theRoll(page).locator('.headline').innerText();
  await page.getByRole('button', { name: /^Replay:/ }).first().click();
  await eventually(async () => assert.deepEqual(await theRoll(page).locator('.die > .hidden').allTextContents(), dice));
  assert.equal(await theRoll(page).locator('.headline').innerText(), value);
  await page.getByRole('button', { name: /^Link:/ }).first().click();
  const link = await eventually(async () => {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(text, /#v1\./);
    return text;
  });
  const other = await page.context().newPage();
  await other.goto(link);
  await eventually(async () => assert.deepEqual(await theRoll(other).locator('.die > .hidden').allTextContents(), dice));
  assert.match(await theRoll(other).innerText(), /You take/);
});

test('what is typed in the editor is no choice', async (t) => {
  const page = await visit(t);
  await write(page, GAMES.reroll);
  await decided(page);
  await rollItButton(page).click();
  await asks(page);
  await write(page, `${GAMES.reroll} + 1`);
  await eventually(async () => assert.match(await written(page), /\+ 1$/));
  assert.equal(await question(page).count(), 1);
});

test('the three games of the gallery are those of the examples, and a link holds them', async (t) => {
  const page = await visit(t);
  await page.getByRole('button', { name: 'What should I do?' }).click();
  for (const [title, game] of [['One reroll', 'reroll'], ['A turn of Pig', 'pig'], ['Five of a kind', 'five']]) {
    await page.getByRole('list', { name: /^Examples of/ }).getByRole('button', { name: new RegExp(`^${title}`) }).click();
    await eventually(async () => assert.equal(await written(page), GAMES[game]));
    await policy(page).waitFor();
    await eventually(async () => assert.equal(await answer(page).getAttribute('aria-busy'), 'false'));
  }
  await eventually(async () => assert.match(new URL(page.url()).hash, /^#v1\./));
  await page.reload();
  await policy(page).waitFor();
  // The answer may be there before the editor.
  await eventually(async () => assert.equal(await written(page), GAMES.five));
});

test('the answer of a game is taken along as of any program', async (t) => {
  const page = await visit(t);
  await write(page, GAMES.reroll);
  await policy(page).waitFor();
  await eventually(async () => assert.equal(await answer(page).getAttribute('aria-busy'), 'false'));
  const csv = await download(page, 'CSV');
  assert.match(csv.text, /^"?outcome/i);
  const data = JSON.parse((await download(page, 'JSON')).text);
  assert.deepEqual(data, odds(GAMES.reroll));
});

// Each of the five systems: a form that writes an expression, odds that are the library's, a roll that is the
// terminal's, die by die.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, download, editor, showsChance, written } from './support/ask.mjs';
import { expression, fill, open, replays, roll, rollButton, rollItButton, rolled, settled, writes } from './support/play.mjs';
import { astragal, odds, roll as rollInTerminal, unbroken } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();

const FORMS = [
  {
    game: 'Stormchaser',
    values: { 'Difficulty (DC)': '16', Modifier: '3', '+1d': '2', '−1d': '1', Lucky: true },
    call: 'stormchaser.check(16, modifier: 3, plus: 2, minus: 1, lucky: true)',
    field: 'success',
  },
  {
    game: 'd20 basics',
    values: { Modifier: '7', 'Target number': '18', 'A natural 20 succeeds': true },
    call: 'srd.check(7, 18, natural_20: true)',
    field: 'success',
  },
  {
    game: 'Chronicles of Darkness',
    values: { 'Dice pool': '7', 'Thrown again': { pick: '9-again' }, 'Rote action': true },
    call: 'cofd.action(7, again: 9, rote: true)',
    field: 'outcome',
  },
  {
    game: 'Crucible',
    values: { 'Difficulty (DC)': '17', Boons: '2', Banes: '1', Ability: '3', Skill: '2' },
    call: 'crucible.check(17, boons: 2, banes: 1, ability: 3, skill: 2)',
    field: 'success',
  },
  {
    game: 'Kaiser',
    values: { Skill: '8', Difficulty: '14', Advantage: '1', 'Fumble degree': '1' },
    call: 'kaiser.skill(8, 14, advantage: 1, fumble: 1)',
    field: 'success',
  },
];

for (const { game, values, call, field } of FORMS) {
  test(`${game}: the form writes the expression, with the library's odds and the terminal's dice`, async (t) => {
    const page = await visit(t);
    await open(page, game);
    await fill(page, values);
    await writes(page, call);
    await settled(page);

    await shows(page, call, field);
    const file = await download(page, 'JSON');
    assert.deepEqual(JSON.parse(file.text), odds(call));

    const { seed, lines, dice } = await roll(page);
    assert.equal(lines.trim(), toldInTerminal(call, seed));
    const thrown = rollInTerminal(call, seed).dice.map((die) => String(die.value));
    assert.deepEqual(dice.filter(Boolean).sort(), thrown.sort());
    await eventually(async () => assert.ok((await rolled(page)).sentence.length > 5, 'the roll is spoken'));
  });
}

/** The field's chances stand on the page as the terminal writes them; of a yes or no, the yes. */
async function shows(page, call, field) {
  const lines = astragal('odds', call, '--field', field).split('\n').filter((line) => !line.startsWith('no '));
  const chances = lines.flatMap((line) => line.match(/[\d.]+%/) ?? []);
  assert.ok(chances.length > 0, lines.join('\n'));
  const text = (await page.locator('.odds').innerText()).replaceAll('\n', ' ');
  for (const chance of chances) assert.ok(text.includes(chance), `${chance} in ${text}`);
}

/** The terminal's explanation of a roll, without what it says of chances before and behind it. */
function toldInTerminal(call, seed) {
  const [told] = unbroken('roll', call, '--seed', seed).split('\nchance of');
  return told.split('\n').filter((line) => !line.endsWith('to do this or better')).join('\n').trim();
}

test('what stacks is shown, and why the rest does not', async (t) => {
  const page = await visit(t);
  await open(page, 'd20 basics', 'What stacks');
  const rows = page.getByRole('group', { name: 'Modifiers' });
  for (const remove of await rows.getByRole('button', { name: /remove row/ }).all()) {
    assert.ok(remove);
    await rows.getByRole('button', { name: /remove row/ }).first().click();
  }
  for (const [place, [value, kind, source]] of [['2', 'morale', 'bless'], ['4', 'morale', 'prayer'], ['1', 'luck', 'charm']].entries()) {
    await rows.getByRole('button', { name: 'Add a row' }).click();
    await rows.getByLabel('Value').nth(place).fill(value);
    await rows.getByLabel('Type').nth(place).fill(kind);
    await rows.getByLabel('Source').nth(place).fill(source);
  }
  await eventually(async () => {
    const verdicts = await rows.locator('.verdict').allInnerTexts();
    assert.equal(verdicts.length, 3);
    assert.match(verdicts[0], /does not/);
    assert.match(verdicts[1], /counts/);
    assert.match(verdicts[2], /counts/);
  });
});

test('a number may be worked out by another rule of the game', async (t) => {
  const page = await visit(t);
  await open(page, 'Chronicles of Darkness');
  await page.getByRole('button', { name: 'Work it out' }).click();
  await fill(page, { Attribute: '4', Skill: '3' });
  await eventually(async () => assert.match(await expression(page), /cofd\.action\(cofd\.pool\(4, 3\)/));
  await page.getByText('= 7').first().waitFor();
});

test('every rule of every game has a form that works', async (t) => {
  const page = await visit(t);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const games = page.getByRole('group', { name: 'Game' }).getByRole('button');
  // The dice are there at once, the systems when the engine is.
  await eventually(async () => assert.equal(await games.count(), 6));
  for (const game of (await games.all()).slice(1)) {
    await game.click();
    for (const rule of await page.getByRole('group', { name: 'Rule' }).getByRole('button').all()) {
      await rule.click();
      const name = await rule.innerText();
      await eventually(async () => {
        const missing = await page.getByText(/^Fill in:/).count();
        // A rule that only reckons has an answer, and nothing to roll.
        const reckons = (await rollButton(page).count()) === 0 && (await page.locator('.odds .answer').count()) > 0;
        assert.ok(missing > 0 || reckons || (await rollButton(page).isEnabled({ timeout: 500 }).catch(() => false)), name);
      });
    }
  }
});

test('a form opens in the editor, and becomes a house rule', async (t) => {
  const page = await visit(t);
  await open(page, 'Crucible');
  await fill(page, { Boons: '2' });
  await eventually(async () => assert.match(await expression(page), /boons: 2/));
  const call = await expression(page);
  await page.getByRole('button', { name: 'Open in editor' }).click();
  await editor(page).waitFor();
  await eventually(async () => assert.equal(await written(page), call));

  await open(page, 'Crucible');
  await page.getByRole('button', { name: 'Make it a house rule' }).click();
  await page.getByRole('button', { name: 'house.dice', exact: true }).waitFor();
  await eventually(async () => assert.match(await written(page), /^use "house.dice"\nhouse\.check\(/));
  await eventually(async () => assert.match(await answer(page).innerText(), /%/));
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('group', { name: 'Game' }).getByRole('button', { name: /^House/ }).waitFor();
});

test('what a rule refuses is said in its own words', async (t) => {
  const page = await visit(t);
  await open(page, 'Chronicles of Darkness');
  await fill(page, { 'Dice pool': '' });
  await page.getByText('Fill in: Dice pool.').waitFor();
  assert.ok(await rollButton(page).isDisabled());
});

test('a program is rolled where it is written, with the terminal’s words and dice', async (t) => {
  const page = await visit(t, { hash: `#e=${encodeURIComponent('7d10 ro<=7 ! cs>=8')}` });
  const { seed, lines } = await roll(page, rollItButton(page));
  assert.equal(lines.trim(), toldInTerminal('7d10 ro<=7 ! cs>=8', seed));
});

test('the history replays a roll by its seed, survives a reload, and can be cleared', async (t) => {
  const page = await visit(t);
  await open(page, 'Kaiser');
  const first = await roll(page);
  await roll(page);
  await replays(page).nth(1).click();
  await eventually(async () => assert.equal((await rolled(page)).lines, first.lines));
  await eventually(async () => assert.match(page.url(), /#v1\./));
  await page.reload();
  await eventually(async () => assert.equal(await replays(page).count(), 2));
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Forget them' }).click();
  await eventually(async () => assert.equal(await replays(page).count(), 0));
});

test('a link to a roll shows that very roll', async (t) => {
  const page = await visit(t, { hash: '#e=5d6' });
  const { lines } = await roll(page, rollItButton(page));
  await page.getByText('Earlier rolls').click();
  await page.getByRole('button', { name: /^Link:/ }).first().click();
  const link = await eventually(async () => {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(text, /#v1\./);
    return text;
  });
  const other = await visit(t, { hash: link.slice(link.indexOf('#')) });
  const place = other.getByRole('region', { name: 'The roll' });
  await eventually(async () => assert.equal(await place.locator('details pre').textContent(), lines));
});

test('a yes or no in a form is the terminal’s', async (t) => {
  const page = await visit(t);
  await open(page, 'd20 basics');
  await fill(page, { Modifier: '5', 'Target number': '15' });
  await writes(page, 'srd.check(5, 15)');
  await showsChance(page, odds('srd.check(5, 15).success'));
});

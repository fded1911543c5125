// What if: an input becomes a curve, two become a map, and which value is enough is said in the words of the terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { showsChance, write } from './support/ask.mjs';
import { accessible, fits } from './support/look.mjs';
import { astragal, odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();
const ATTACK = 'param bonus = 5\nparam target = 15\nd20 + bonus >= target';
const vary = (page, name) => page.getByRole('button', { name: `What if ${name} varies` }).click();
const curve = (page) => page.getByRole('slider', { name: /^Curve over/ });
const sweep = (program, ...over) => JSON.parse(astragal('sweep', program, ...over, '--json')).points;
const solved = (page) => page.locator('.solve [role=status]');

test('a click makes a curve of an input; moving along it moves the input', async (t) => {
  const page = await visit(t);
  await write(page, ATTACK);
  await vary(page, 'bonus');
  await curve(page).waitFor();
  for (const { inputs, values } of sweep(ATTACK, 'bonus=4..8')) {
    await page.getByLabel('bonus', { exact: true }).fill(String(inputs.bonus));
    await page.keyboard.press('Enter');
    const [top, bottom] = values.chance.split('/').map(Number);
    const percent = `${((100 * top) / bottom).toFixed(2)}%`;
    await eventually(async () => assert.equal(await curve(page).getAttribute('aria-valuetext'), `bonus ${inputs.bonus}: ${percent}`));
  }
  await curve(page).focus();
  await page.keyboard.press('ArrowRight');
  await showsChance(page, odds(ATTACK, '--set', 'bonus=9'));
  const box = await curve(page).boundingBox();
  await page.mouse.click(box.x + box.width - 15, box.y + 60);
  await eventually(async () => assert.equal(await page.getByLabel('bonus', { exact: true }).inputValue(), '20'));
  await accessible(page, 'a curve');
});

test('two inputs are a map, with the terminal’s numbers', async (t) => {
  const page = await visit(t);
  await write(page, ATTACK);
  await vary(page, 'bonus');
  await vary(page, 'target');
  const map = page.getByRole('region', { name: 'Map of chance over bonus and target' });
  await map.waitFor();
  const cell = async (bonus, target) => {
    const heads = await map.locator('thead th').allInnerTexts();
    const row = map.locator('tbody tr', { has: page.getByRole('rowheader', { name: String(bonus), exact: true }) });
    return row.locator('td').nth(heads.indexOf(String(target))).innerText();
  };
  for (const { inputs, values } of sweep(ATTACK, 'bonus=4,5,6', 'target=13,15')) {
    const [top, bottom = 1] = values.chance.split('/').map(Number);
    assert.equal(await cell(inputs.bonus, inputs.target), String(Math.round((100 * top) / bottom)), JSON.stringify(inputs));
  }
  await accessible(page, 'a map');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await eventually(async () => assert.equal(await map.count(), 0));
});

test('means, or the chance of a condition; it is all in the address', async (t) => {
  const page = await visit(t);
  await write(page, 'param n = 3\n(n)d6');
  await vary(page, 'n');
  await eventually(async () => assert.equal(await curve(page).getAttribute('aria-valuetext'), 'n 3: 10.5'));
  await page.getByLabel('Chance of').first().fill('>= 10');
  await page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await curve(page).getAttribute('aria-valuetext'), 'n 3: 62.50%'));
  const hash = await eventually(() => {
    const found = new URL(page.url()).hash;
    assert.match(inflateRawSync(Buffer.from(found.slice('#v1.'.length), 'base64url')).toString(), />= 10/);
    return found;
  });
  const other = await visit(t, { hash });
  await eventually(async () => assert.equal(await curve(other).getAttribute('aria-valuetext'), 'n 3: 62.50%'));
});

test('which bonus gives 65 %: the terminal’s answer, and a click sets it', async (t) => {
  const page = await visit(t);
  await write(page, ATTACK);
  await page.getByText('How much is enough?').click();
  const [headline] = astragal('solve', ATTACK, 'bonus=-10..50', '--chance', '65%').split('\n');
  await eventually(async () => assert.match((await solved(page).innerText()).toLowerCase(), new RegExp(headline.toLowerCase())));
  await page.getByRole('textbox', { name: 'Target', exact: true }).fill('1 in 4');
  await eventually(async () => assert.match(await solved(page).innerText(), /^Bonus from −?-?1 on gives a chance of at least 1 in 4/));
  await page.getByRole('button', { name: 'Set bonus to -1' }).click();
  await showsChance(page, odds(ATTACK, '--set', 'bonus=-1'));
  await page.getByRole('textbox', { name: 'Target', exact: true }).fill('often');
  await solved(page).getByText('is no chance').waitFor();
  await accessible(page, 'how much is enough');
});

test('a mean, and the break-even of two rules', async (t) => {
  const page = await visit(t);
  await write(page, 'param dice = 3\nshow "many" = (dice)d6\nshow "one" = d20 + 4');
  await page.getByText('How much is enough?').click();
  await page.getByRole('combobox', { name: 'Of what' }).selectOption('many mean');
  await page.getByRole('textbox', { name: 'Target', exact: true }).fill('12');
  await solved(page).getByText('Dice from 4 on gives a mean of at least 12').waitFor();
  await page.getByRole('combobox', { name: 'A number or another result' }).selectOption('one mean');
  await solved(page).getByText('Dice from 5 on gives many mean at least as high as one mean').waitFor();
});

test('a value without an answer is a gap, not the end', async (t) => {
  const page = await visit(t);
  await write(page, 'param x = 2\nd6 + 12 // x');
  await vary(page, 'x');
  await curve(page).waitFor();
  await page.getByText('One value has no answer').waitFor();
});

test('on a phone the answer stays in sight while a slider moves', async (t) => {
  const page = await visit(t, { width: 390, height: 844, touch: true });
  await write(page, ATTACK);
  const slider = page.getByRole('slider', { name: 'bonus, slider' });
  await slider.scrollIntoViewIfNeeded();
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  const bar = page.locator('.insight');
  await eventually(async () => assert.match(await bar.innerText(), /60\.00%/));
  const box = await bar.boundingBox();
  assert.ok(box.y >= 0 && box.y + box.height <= 844, JSON.stringify(box));
  await vary(page, 'bonus');
  await curve(page).waitFor();
  await fits(page, 'a curve on a phone');
});

// A roll and its odds meet: what came up is marked and said, many rolls are counted over the exact bars.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, editor, editorReady, readout, showsExactly, write } from './support/ask.mjs';
import { open, replays, roll, rollItButton, settled } from './support/play.mjs';
import { e, v1 } from './support/state.mjs';
import { odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();
const often = (page) => page.getByLabel('How often to roll');
const card = (page) => page.getByRole('region', { name: 'Rolled', exact: true });

test('what came up is marked in the chart, and its chance is said', async (t) => {
  const page = await visit(t, { hash: e('4d6kh3') });
  await answer(page).locator('figure').first().waitFor();
  const before = await answer(page).locator('figure').first().boundingBox();
  const { dice } = await roll(page, rollItButton(page));
  const value = dice.map(Number).sort((a, b) => b - a).slice(0, 3).reduce((sum, die) => sum + die, 0);
  const outcomes = odds('4d6kh3').outcomes;
  const share = (from) => `${(outcomes.filter(from).reduce((sum, { decimal }) => sum + decimal, 0) * 100).toFixed(2)}%`;
  await page.mouse.move(5, 5);
  await eventually(async () => {
    const said = (await readout(page).innerText()).replaceAll(/\s+/g, ' ');
    assert.match(said, new RegExp(`rolled\\s+${value}\\b`));
    assert.ok(said.includes(`${value} or more: ${share((one) => one.value >= value)}`), said);
    assert.ok(said.includes(`${value} or less: ${share((one) => one.value <= value)}`), said);
  });
  assert.equal(await page.locator('figure path.pointer').count(), 1);
  const after = await answer(page).locator('figure').first().boundingBox();
  assert.equal(after.y, before.y, 'the odds stay where they are');
});

test('an edit leaves the roll behind', async (t) => {
  const page = await visit(t, { hash: e('4d6kh3') });
  await answer(page).locator('figure').first().waitFor();
  await roll(page, rollItButton(page));
  await eventually(async () => assert.equal(await page.locator('figure path.pointer').count(), 1));
  await write(page, '3d6');
  await showsExactly(page, odds('3d6'));
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  assert.equal(await page.locator('figure path.pointer').count(), 0, 'it is no roll of this program');
  assert.match(await card(page).innerText(), /before the program was changed/);
  await card(page).getByRole('button', { name: 'Put the dice away' }).click();
  assert.equal(await card(page).count(), 0);
});

test('Ctrl+Enter rolls, from anywhere, and breaks no line', async (t) => {
  const page = await visit(t, { hash: e('3d6') });
  await editorReady(page);
  await editor(page).focus();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'The roll' }).waitFor();
  await eventually(async () => assert.equal(await replays(page).count(), 1));
  assert.equal(await page.locator('.cm-line').count(), 1);
});

test('a thousand rolls are counted over the exact bars', async (t) => {
  const page = await visit(t, { hash: e('2d6') });
  await answer(page).locator('figure').first().waitFor();
  await often(page).selectOption('1000');
  await page.keyboard.press('Control+Enter');
  await eventually(async () => assert.match(await readout(page).innerText(), /1,000 rolls\s+mean\s+[67](\.\d+)?\s+\(odds say 7\)/));
  assert.equal(await page.locator('figure circle.dot').count(), 11);
  // The dots are as high as they came up often: together they are all rolls.
  const heights = await page.locator('figure .plot svg').evaluate((svg) => {
    const lines = [...svg.querySelectorAll('line.grid, line.axis')].map((line) => Number(line.getAttribute('y1')));
    const labels = [...svg.querySelectorAll('text[text-anchor=end]')].map((text) => parseFloat(text.textContent));
    const unit = (lines[0] - lines[1]) / (labels[1] - labels[0]);
    return [...svg.querySelectorAll('circle.dot')].map((dot) => (lines[0] - Number(dot.getAttribute('cy'))) / unit);
  });
  assert.ok(Math.abs(heights.reduce((sum, height) => sum + height, 0) - 100) < 0.5, heights.join(' '));
  await page.getByRole('radio', { name: 'At least' }).check({ force: true });
  await eventually(async () => assert.equal(await page.locator('figure circle.dot').count(), 11));
});

test('a table has what came up, too', async (t) => {
  const page = await visit(t, { hash: v1({ text: '2d6', look: { table: true } }) });
  const table = page.getByRole('region', { name: /^Table/ });
  await table.waitFor();
  await roll(page, rollItButton(page));
  await eventually(async () => assert.equal(await table.getByRole('rowheader', { name: /rolled$/ }).count(), 1));
  await often(page).selectOption('100');
  await rollItButton(page).click();
  await eventually(async () => {
    assert.ok((await table.getByRole('columnheader').allInnerTexts()).includes('Rolled'));
    const shares = await table.locator('tbody tr td:last-child').allInnerTexts();
    assert.equal(Math.round(shares.reduce((sum, share) => sum + parseFloat(share), 0)), 100);
  });
});

test('many rolls of a yes or no and of names are told in words', async (t) => {
  const page = await visit(t, { hash: e('cofd.action(7).outcome') });
  await page.getByRole('rowheader', { name: /exceptional/ }).waitFor();
  await often(page).selectOption('100');
  await rollItButton(page).click();
  await eventually(async () => {
    const times = [...(await answer(page).innerText()).matchAll(/came up (\d+) times/g)].map((found) => Number(found[1]));
    assert.equal(times.reduce((sum, each) => sum + each, 0), 100);
  });
  await write(page, 'd20 >= 11');
  await answer(page).locator('dd.percent').waitFor();
  await rollItButton(page).click();
  await eventually(async () => assert.match(await answer(page).innerText(), /came up \d+ times, \d+%/));
  await often(page).selectOption('1');
  await rollItButton(page).click();
  await eventually(async () => assert.match(await answer(page).innerText(), /rolled( no)?/));
});

test('a form marks what came up in its odds', async (t) => {
  const page = await visit(t);
  await open(page, 'Chronicles of Darkness');
  await settled(page);
  const place = () => page.locator('.odds').evaluate((odds) => odds.offsetTop);
  const before = await place();
  await roll(page);
  await eventually(async () => assert.match(await page.locator('.odds').innerText(), /rolled/));
  assert.equal(await place(), before, 'the odds stay where they are');
  assert.ok((await page.locator('.odds').boundingBox()).y >= 0, 'and in sight');
  await page.getByLabel('Dice pool', { exact: true }).fill('3');
  await settled(page);
  await eventually(async () => assert.equal(await page.locator('.rolled.old').count(), 1));
});

test('earlier rolls are found by text and by program', async (t) => {
  const page = await visit(t, { hash: e('2d6') });
  await answer(page).locator('figure').first().waitFor();
  await roll(page, rollItButton(page));
  await roll(page, rollItButton(page));
  await write(page, '3d8 + 1');
  await showsExactly(page, odds('3d8 + 1'));
  await roll(page, rollItButton(page));
  await page.getByText('Earlier rolls').click();
  const found = page.getByRole('button', { name: /^Replay:/ });
  assert.equal(await found.count(), 3);
  await page.getByRole('searchbox', { name: 'Find a roll' }).fill('2d6');
  await eventually(async () => assert.equal(await found.count(), 2));
  await page.getByRole('searchbox', { name: 'Find a roll' }).fill('');
  await page.getByRole('button', { name: 'This program' }).click();
  await eventually(async () => assert.equal(await found.count(), 1));
});

test('on a phone the odds stay where they are, too', async (t) => {
  const page = await visit(t, { hash: v1({ text: '4d6kh3' }), width: 390, height: 844, touch: true });
  const figure = answer(page).locator('figure').first();
  await figure.waitFor();
  const before = await figure.boundingBox();
  await roll(page, rollItButton(page));
  assert.equal((await figure.boundingBox()).y, before.y);
  const sheet = await card(page).boundingBox();
  assert.ok(sheet.y > 300 && sheet.y + sheet.height <= 844, JSON.stringify(sheet));
  const first = await card(page).innerText();
  await eventually(async () => {
    await card(page).getByRole('button', { name: 'Roll again' }).click();
    assert.notEqual(await card(page).innerText(), first);
  });
  await write(page, '3d6');
  await eventually(async () => assert.ok(!(await card(page).isVisible()), 'who writes sees what is written'));
});

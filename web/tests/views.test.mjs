// Views: a record as one thing, many results told apart, numbers as people say them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, readout, write } from './support/ask.mjs';
import { open, settled } from './support/play.mjs';
import { e, v1 } from './support/state.mjs';
import { odds, unbroken } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();
const HIT = 'let die = d20\n{total: die + 7, margin: die - 8, hit: die >= 8, damage: if die >= 8 then 2d6 else 0}';
const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `show "${n} dice" = ${n}d6`).join('\n');

const parts = (page) => page.getByRole('region', { name: 'Parts of the result' });
const cells = (table) => table.locator('tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));

/** What a screen reader finds: the text of everything that is not kept from it. */
const heard = (locator) =>
  locator.evaluate((element) => {
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.data;
      if (node.getAttribute?.('aria-hidden') === 'true' || node.nodeName === 'STYLE') return '';
      const block = ['DD', 'DT', 'DIV', 'P', 'TD', 'TH', 'LI'].includes(node.nodeName) ? ' ' : '';
      return block + [...node.childNodes].map(walk).join('') + block;
    };
    return walk(element).replaceAll(/\s+/g, ' ').trim();
  });

test('a record is one table of its parts, and those that are chosen are drawn', async (t) => {
  const page = await visit(t, { hash: v1({ text: HIT }) });
  await parts(page).waitFor();
  const rows = (await cells(parts(page))).slice(1);
  assert.deepEqual(rows.map((row) => row[0]), ['total', 'margin', 'hit', 'damage']);
  assert.match(rows[2][1], /65\.00%.*yes/);
  assert.equal(await page.locator('figure').count(), 1, 'the most telling part is drawn');
  await page.getByRole('checkbox', { name: 'Draw damage' }).check();
  await eventually(async () => assert.equal(await page.locator('figure').count(), 2));
  await page.getByRole('checkbox', { name: 'Draw total' }).uncheck();
  await eventually(async () => assert.equal(await page.getByRole('slider', { name: /^damage/ }).count(), 1));
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height < 1600, `${height} px`);
});

test('parts that are the same are shown once', async (t) => {
  const page = await visit(t);
  await open(page, 'Chronicles of Darkness');
  await settled(page);
  await parts(page).waitFor();
  const names = (await cells(parts(page))).slice(1).map((row) => row[0]);
  assert.ok(names.includes('successes, rolled'), names.join('; '));
  assert.ok(!names.includes('rolled'), names.join('; '));
});

test('two parts are a map of exact chances', async (t) => {
  const page = await visit(t, { hash: v1({ text: HIT }) });
  await parts(page).getByRole('button', { name: 'Two parts' }).click();
  await page.getByLabel('Across').selectOption('hit');
  await page.getByLabel('Down').selectOption('margin');
  const map = page.getByRole('region', { name: 'Map of hit and margin' });
  await eventually(async () => {
    const [head, ...rows] = await cells(map);
    assert.deepEqual(head.slice(1), ['no', 'yes']);
    assert.equal(rows.length, 20);
    assert.match(rows[0][1], /^5\.00%/);
    assert.equal(rows[0][2], '');
    assert.match(rows[19][2], /^5\.00%/);
  });
});

test('correlations say what goes together, and what is always the same', async (t) => {
  const page = await visit(t, { hash: v1({ text: 'let a = d6\n{a: a, again: a, less: 7 - a, other: d8}' }) });
  await parts(page).getByRole('button', { name: 'Correlations' }).click();
  const table = page.getByRole('region', { name: 'Correlations' });
  await eventually(async () => {
    const [head, first] = await cells(table);
    assert.deepEqual(head.slice(1), ['a, again', 'less', 'other']);
    assert.deepEqual(first.slice(1), ['1', '−1', '0']);
  });
  assert.match(await parts(page).innerText(), /a and again are always the same/i);
});

test('eight results have charts of their own, or lines that differ in more than colour', async (t) => {
  const page = await visit(t, { hash: v1({ text: EIGHT }) });
  const alone = answer(page).locator('figure li');
  await eventually(async () => assert.equal(await alone.count(), 8));
  await page.getByRole('button', { name: 'In one chart', exact: true }).click();
  const lines = page.locator('figure .plot path.line');
  await eventually(async () => assert.equal(await lines.count(), 8));
  const dashes = await lines.evaluateAll((paths) => paths.map((path) => path.getAttribute('stroke-dasharray')));
  assert.equal(new Set(dashes).size, 8, dashes.join('; '));
  const colours = await lines.evaluateAll((paths) => paths.map((path) => getComputedStyle(path).stroke));
  assert.equal(new Set(colours).size, 8, colours.join('; '));
  const marks = await page.locator('figure .plot path.fill').evaluateAll((paths) =>
    paths.map((path) => `${path.classList.contains('hollow')} ${path.getAttribute('d').match(/m.*?z/)[0]}`));
  assert.equal(new Set(marks).size, 8, 'no two have the same marks');
  const names = await page.locator('figure .plot text').allTextContents();
  for (const n of [2, 4, 6, 8]) assert.ok(names.includes(`${n} dice`), names.join('; '));
});

test('the page draws what a picture of the terminal has', async (t) => {
  const page = await visit(t, { hash: v1({ text: EIGHT, look: { apart: false } }) });
  const drawn = page.locator('figure .plot path.line');
  await eventually(async () => assert.equal(await drawn.count(), 8));
  const looks = await drawn.evaluateAll((paths) => paths.map((path) => [path.getAttribute('class'), path.getAttribute('stroke-dasharray')]));
  const file = unbroken('odds', EIGHT, '--svg', '-');
  const lines = [...file.slice(file.indexOf('class="grid"')).matchAll(/<path class="(line s\d+)" d="[^"]+" stroke-dasharray="([^"]+)"/g)];
  assert.deepEqual(lines.map(([, name, dash]) => [name, dash]), looks);
});

test('on a phone the whole chart is on the first screen', async (t) => {
  const page = await visit(t, { width: 390, height: 844, touch: true });
  const chart = page.locator('figure .plot');
  await chart.waitFor();
  await page.locator('.tok-dice').first().waitFor();
  const { bottom } = await chart.evaluate((element) => element.getBoundingClientRect().toJSON());
  assert.ok(bottom <= 844, `it ends at ${bottom} px`);
});

test('numbers are heard as people say them', async (t) => {
  const page = await visit(t, { hash: e('4d6kh3') });
  const summary = answer(page).locator('figure dl');
  await summary.waitFor();
  const said = await heard(summary);
  assert.match(said, /Mean 12\.2446, exactly 15869 over 1296\b/);
  assert.match(said, /Most likely 13, with 13\.27%/);
  assert.match(said, /50% of rolls: 12 or less/);
  assert.doesNotMatch(said, /12\.244615869|1313\.27/);
  await page.getByRole('slider', { name: /^Chart/ }).focus();
  await page.keyboard.press('Enter');
  assert.match(await heard(readout(page)), /13: 13\.27%, 43 in 324, 1 in 7\.53/);
  assert.match(await heard(page.locator('.pinned')), /at least 13: 48\.77%, 79 in 162, 1 in 2\.05/);
});

test('a percentage says what it is the chance of', async (t) => {
  const page = await visit(t, { hash: e('d20 + 5 >= 15') });
  const truth = answer(page).locator('figure dl');
  await truth.waitFor();
  assert.match(await truth.innerText(), /yes/);
  assert.match(await heard(truth), /yes: 55\.00%, 11 in 20, 1 in 1\.82/);
  await write(page, '{a: d4 > 1, b: d4 > 2, c: d4 > 3}');
  await page.getByRole('checkbox', { name: 'Draw b' }).check();
  await eventually(async () => assert.match(await answer(page).locator('figure').first().innerText(), /75\.00%\s*yes/));
});

test('the most likely outcomes are named', async (t) => {
  const page = await visit(t, { hash: e('3d6') });
  const likely = answer(page).locator('figure dl div').filter({ hasText: 'Most likely' });
  await eventually(async () => assert.match(await likely.innerText(), /10 and 11/));
  assert.match(await heard(likely), /10 and 11, with 12\.50% each/);
  await write(page, 'd2 * 10 + d3');
  await eventually(async () => assert.match(await likely.innerText(), /all alike/));
  await write(page, 'd4 + d8');
  await eventually(async () => assert.match(await likely.innerText(), /5 to 9/));
  assert.equal(odds('d4 + d8').outcomes.length, 11);
});

test('what is printed is the program and its answer', async (t) => {
  const page = await visit(t, { hash: e('4d6kh3'), theme: 'dark' });
  await answer(page).locator('figure').waitFor();
  await page.emulateMedia({ media: 'print' });
  for (const name of ['Share', 'Copy table', 'Roll it', 'Add d6']) assert.ok(!(await page.getByRole('button', { name, exact: true }).isVisible()), name);
  assert.ok(!(await page.getByRole('link', { name: 'Recipes' }).isVisible()));
  assert.ok(await page.locator('figure svg').first().isVisible());
  const [paper, ink] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]);
  assert.equal(paper, 'rgb(255, 255, 255)');
  assert.equal(ink, 'rgb(27, 35, 44)');
});

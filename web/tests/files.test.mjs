// What one takes along: the terminal's own tables, data and pictures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { download, showsExactly, write } from './support/ask.mjs';
import { astragal, odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();

test('CSV, JSON and SVG are what the terminal writes', async (t) => {
  const page = await visit(t, { hash: '#e=3d6' });
  await showsExactly(page, odds('3d6'));
  const csv = await download(page, 'CSV');
  assert.match(csv.name, /\.csv$/);
  assert.equal(csv.text.trim(), astragal('odds', '3d6', '--csv').trim());
  const json = await download(page, 'JSON');
  assert.match(json.name, /\.json$/);
  assert.deepEqual(JSON.parse(json.text), odds('3d6'));
  const svg = await download(page, 'SVG');
  assert.match(svg.name, /\.svg$/);
  assert.equal(svg.text.trim(), astragal('odds', '3d6', '--svg', '-').trim());
});

test('files follow the view', async (t) => {
  const page = await visit(t, { hash: '#e=3d6' });
  await page.getByRole('radio', { name: 'At least' }).check({ force: true });
  await showsExactly(page, odds('3d6'));
  const csv = await download(page, 'CSV');
  assert.equal(csv.text.trim(), astragal('odds', '3d6', '--csv', '--view', 'at-least').trim());
});

test('the table is copied as text', async (t) => {
  const page = await visit(t);
  await write(page, '2d4');
  await showsExactly(page, odds('2d4'));
  await page.getByRole('button', { name: 'Copy table' }).click();
  await eventually(async () => {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    for (const { value, chance } of odds('2d4').outcomes) assert.match(text, new RegExp(`\\b${value}\\b.*${chance}`));
  });
});

// What one takes along: the terminal's own tables, data and pictures.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { download, showsExactly, write } from './support/ask.mjs';
import { astragal, odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();
mkdirSync(new URL('screenshots', import.meta.url), { recursive: true });

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
  const faces = /@font-face\{font-family:Arimo;font-weight:(400|700);src:url\(data:font\/ttf;base64,[A-Za-z0-9+/=]+\) format\("truetype"\)\}/g;
  assert.equal(svg.text.match(faces)?.length, 2, 'its letters come with it');
  assert.equal(svg.text.replaceAll(faces, '').trim(), astragal('odds', '3d6', '--svg', '-').trim());
});

test('files follow the view', async (t) => {
  const page = await visit(t, { hash: '#e=3d6' });
  await page.getByRole('radio', { name: 'At least' }).check({ force: true });
  await showsExactly(page, odds('3d6'));
  const csv = await download(page, 'CSV');
  assert.equal(csv.text.trim(), astragal('odds', '3d6', '--csv', '--view', 'at-least').trim());
});

test('a PNG is a picture of the chart, with its letters', async (t) => {
  const page = await visit(t, { hash: '#e=3d6' });
  await showsExactly(page, odds('3d6'));
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PNG', exact: true }).click()]);
  assert.equal(file.suggestedFilename(), 'odds.png');
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  writeFileSync(new URL('screenshots/odds.png', import.meta.url), bytes);
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1520, 880]);
  // The title is there: dark dots where the letters of `3d6` stand.
  const dark = await page.evaluate(async (data) => {
    const image = Object.assign(new Image(), { src: `data:image/png;base64,${data}` });
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const dots = canvas.getContext('2d').getImageData(40, 30, 120, 60).data;
    return dots.filter((part, at) => at % 4 === 0 && part < 100).length;
  }, bytes.toString('base64'));
  assert.ok(dark > 100, `${dark} dark dots`);
});

test('the table is copied as text', async (t) => {
  const page = await visit(t);
  await write(page, '2d4');
  await showsExactly(page, odds('2d4'));
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await page.getByRole('button', { name: 'Copy table' }).click();
  await eventually(async () => {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    for (const { value, decimal } of odds('2d4').outcomes) assert.ok(text.includes(`| ${value} | ${(decimal * 100).toFixed(2)}% |`), text);
    assert.ok(text.includes('`2d4`') && text.includes('/#e=2d4)'), text);
  });
});

test('for Reddit and Discord, as each of them shows tables', async (t) => {
  const page = await visit(t, { hash: '#e=d3' });
  await showsExactly(page, odds('d3'));
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  const copied = async (button, part) => {
    await page.getByRole('button', { name: button }).click();
    return eventually(async () => {
      const text = await page.evaluate(() => navigator.clipboard.readText());
      // The clipboard still holds what the test before has copied.
      assert.ok(text.includes(part) && text.includes('#e=d3'), text);
      return text;
    });
  };
  assert.match(await copied('Copy for Reddit', '| ---: |'), /\| 1 \| 33\.33% \| 100\.00% \|/);
  const message = await copied('Copy for Discord', '```');
  assert.match(message, /\n +2 +33\.33% +66\.67% +█+\n/);
  assert.ok(message.endsWith('#e=d3') && message.length <= 2000, message);
});

// Contact sheets for those who judge with their eyes: every view at 390, 768 and 1440 pixels, in light and dark, a few of them on
// a picture. `node tests/sheets.mjs`, or with the names of views; the pictures lie in tests/screenshots/sheets.
//
// A view is opened once and then seen at all sizes and in both colours, as by somebody who turns the phone.

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SIZES, TABLES, VIEWS } from './support/views.mjs';
import { launch } from './support/visit.mjs';
import { serve } from './support/server.mjs';
import { tables } from './support/table.mjs';

const folder = fileURLToPath(new URL('screenshots/sheets', import.meta.url));
/** How many stand side by side, how wide each is drawn, and how much of a long page is seen. */
const LAID = { 390: { columns: 4, drawn: 390, most: 1560 }, 768: { columns: 3, drawn: 520, most: 1900 }, 1440: { columns: 2, drawn: 780, most: 1500 } };

const wanted = process.argv.slice(2);
const named = ({ name }) => wanted.length === 0 || wanted.some((word) => name === word || (word.endsWith('*') && name.startsWith(word.slice(0, -1))));
const browser = await launch();
const failed = [];

async function pictures({ name, hash, ready, hold }, address) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en-GB' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  if (hold) await context.route(hold, () => {});
  const seen = [];
  try {
    await page.goto(address + hash, hold ? { waitUntil: 'commit' } : {});
    await ready(page);
    for (const [width, height] of SIZES) {
      for (const theme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
        seen.push({ name, width, theme, image: await picture(page, width, height) });
      }
    }
  } catch (failure) {
    failed.push(`${name}: ${failure.message.split('\n')[0]}`);
  }
  await context.close();
  return seen;
}

/** The whole page at once, as far as it is drawn: on a screen that is as high, nothing sticks to its edge over something else. */
async function picture(page, width, height) {
  await page.setViewportSize({ width, height });
  await page.waitForTimeout(120);
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, Math.min(whole, LAID[width].most)) });
  await page.waitForTimeout(60);
  return (await page.screenshot()).toString('base64');
}

async function sheet(path, tiles, { columns, drawn }) {
  const page = await browser.newPage({ viewport: { width: columns * (drawn + 8), height: 400 } });
  const figures = tiles.map(({ name, image }) => `<figure><figcaption>${name}</figcaption><img width="${drawn}" src="data:image/png;base64,${image}"></figure>`);
  await page.setContent(`<style>body{margin:0;background:#777;display:grid;grid-template-columns:repeat(${columns},${drawn}px);gap:8px;align-items:start;font:14px sans-serif}figure{margin:0}figcaption{color:#fff;height:20px}img{display:block}</style>${figures.join('')}`);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  // A browser that is short of memory refuses now and then: the other sheets are worth having.
  await page.screenshot({ path, fullPage: true }).catch((failure) => failed.push(`${path}: ${failure.message.split('\n')[0]}`));
  await page.close();
}

/** The sheets of a few views, named after the first of them. */
async function lay(seen) {
  for (const [width, laid] of Object.entries(LAID)) {
    for (const theme of ['light', 'dark']) {
      const tiles = seen.filter((one) => one.width === Number(width) && one.theme === theme);
      for (let at = 0; at < tiles.length; at += laid.columns) {
        await sheet(`${folder}/${width}-${theme}-${tiles[at].name}.png`, tiles.slice(at, at + laid.columns), laid);
      }
    }
  }
}

mkdirSync(folder, { recursive: true });
/** Views that lie together; four, three and two of them fill a row. */
const TOGETHER = 12;
for (const [views, start] of [[VIEWS.filter(named), serve], [TABLES.filter(named), tables]]) {
  if (views.length === 0) continue;
  const server = await start();
  for (let at = 0; at < views.length; at += TOGETHER) {
    const seen = [];
    for (const view of views.slice(at, at + TOGETHER)) seen.push(...(await pictures(view, server.address)));
    await lay(seen);
    console.log(`${Math.min(at + TOGETHER, views.length)} of ${views.length} views`);
  }
  await server.stop();
}
await browser.close();
for (const one of failed) console.log(`not seen: ${one}`);
process.exitCode = failed.length ? 1 : 0;

// Draws the icons and the general preview of links from the mark on the page's tab (public/favicon.svg), with the Chromium that
// the tests use: `node tools/icons.mjs`. They are kept in the repository, so that a build needs no browser.

import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const at = (path) => new URL(`../${path}`, import.meta.url);
const mark = readFileSync(at('public/favicon.svg'), 'utf8');
const font = (name) => readFileSync(at(`../crates/show/fonts/${name}.ttf`)).toString('base64');
const face = (weight, name) => `@font-face{font-family:Arimo;font-weight:${weight};src:url(data:font/ttf;base64,${font(name)})}`;

/** A mask may cut off all but the inner four fifths, so the square reaches to the edge and the bone is smaller. */
const maskable = mark
  .replace('<rect width="64" height="64" rx="15"', '<rect width="64" height="64"')
  .replace('<path ', '<g transform="translate(32 32) scale(0.78) translate(-32 -32)"><path ')
  .replace('</svg>', '</g></svg>');

const preview = `<style>${face(400, 'Arimo-Regular')}${face(700, 'Arimo-Bold')}
  body { margin: 0; width: 1200px; height: 630px; display: grid; grid-template-columns: 300px 1fr; align-items: center; gap: 70px;
    box-sizing: border-box; padding: 0 90px; background: #fbfaf7; color: #1b232c; font-family: Arimo }
  svg { width: 300px; height: 300px } h1 { margin: 0; font-size: 104px; letter-spacing: -3px } p { margin: 12px 0 0; font-size: 42px; line-height: 1.3 }
  </style>${mark}<div><h1>Astragal</h1><p>The exact odds of any roll,<br>and every die of it explained.</p></div>`;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

async function draw(name, width, height, body) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(body);
  await page.evaluate(() => document.fonts.ready);
  writeFileSync(at(`public/${name}`), await page.screenshot({ omitBackground: true }));
  await page.close();
  console.log(name);
}
const whole = (svg) => `<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`;

for (const size of [192, 512]) {
  await draw(`icon-${size}.png`, size, size, whole(mark));
  await draw(`icon-maskable-${size}.png`, size, size, whole(maskable));
}
await draw('preview.png', 1200, 630, preview);
await browser.close();

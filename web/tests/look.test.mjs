// Every view, as careful readers look at it: axe in light and dark on a screen of 1440 pixels, on phones of 320 and 390 and a
// tablet of 768, by keyboard, and pictures of it all in tests/screenshots for those who judge with their eyes.

import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { accessible, fits, pressable, reachable } from './support/look.mjs';
import { VIEWS } from './support/views.mjs';
import { visits } from './support/visit.mjs';

const { visit } = visits();
const pictures = fileURLToPath(new URL('screenshots', import.meta.url));
mkdirSync(pictures, { recursive: true });

/** The whole page at once: on a screen that is as high as the page, nothing sticks to its edge over something else. */
async function picture(page, name) {
  const { width, height } = page.viewportSize();
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, Math.min(whole, 5000)) });
  await page.screenshot({ path: `${pictures}/${name}.png` });
  await page.setViewportSize({ width, height });
}

for (const { name, hash, ready, hold, except, wide } of VIEWS) {
  for (const theme of ['light', 'dark']) {
    test(`${name} is accessible in ${theme}`, async (t) => {
      const page = await visit(t, { hash, hold, theme, width: 1440, height: 900 });
      await ready(page);
      await picture(page, `${name}-${theme}`);
      await accessible(page, name, except);
      await fits(page, name);
      if (theme === 'light') await reachable(page, name);
    });
  }

  if (wide) continue;
  test(`${name} fits phones and tablets`, async (t) => {
    for (const [width, theme] of [[320, 'dark'], [390, 'light'], [768, 'dark']]) {
      const page = await visit(t, { hash, hold, theme, width, height: 780, touch: true });
      await ready(page);
      await picture(page, `${name}-${width}`);
      await fits(page, `${name} at ${width} px`);
      await pressable(page, `${name} at ${width} px`);
      if (width === 320) await accessible(page, `${name} at ${width} px`, except);
    }
  });
}

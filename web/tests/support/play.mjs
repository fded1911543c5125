// What one does on the second face of the page: a game, its form, a roll.

import assert from 'node:assert/strict';
import { eventually } from './visit.mjs';

/** Goes to a game's form. */
export async function open(page, game, rule) {
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('group', { name: 'Game' }).getByRole('button', { name: new RegExp(`^${game}`) }).click();
  if (rule) await page.getByRole('group', { name: 'Rule' }).getByRole('button', { name: rule, exact: true }).click();
}

/** Fills a form: texts are written, `true` switches on, `{ pick }` picks one of several. */
export async function fill(page, values) {
  for (const [label, value] of Object.entries(values)) {
    const field = page.getByLabel(label, { exact: true });
    // The bar with the button lies over what is at the foot of the screen.
    await field.or(page.getByRole('radio', { name: value?.pick ?? '', exact: true })).first().evaluate((element) => element.scrollIntoView({ block: 'center' }));
    if (value === true) await field.check({ force: true });
    else if (typeof value === 'object') await page.getByRole('radio', { name: value.pick, exact: true }).check({ force: true });
    else await field.fill(value);
  }
}

export const expression = (page) => page.locator('.expression pre').innerText();

/** Waits until the odds are those of the form as it stands. */
export const settled = (page) => page.locator('.odds[aria-busy=false]').waitFor();

export const writes = (page, text) => eventually(async () => assert.equal(await expression(page), text));

/** Rolls, and tells what was rolled: the seed, the terminal's lines, and the faces as they are drawn. */
export async function roll(page, button = rollButton(page)) {
  const earlier = await replays(page).count();
  await button.click();
  await eventually(async () => assert.ok(await replays(page).count() > earlier, 'the history grows'));
  return rolled(page);
}

/** The button of the form; a rule may be called "Roll" too. */
export const rollButton = (page) => page.locator('.act').getByRole('button', { name: 'Roll', exact: true });
export const rollItButton = (page) => page.getByRole('button', { name: 'Roll it' });
export const replays = (page) => page.getByRole('button', { name: /^Replay:/, includeHidden: true });

export async function rolled(page) {
  const place = page.getByRole('region', { name: 'The roll' });
  const title = await replays(page).first().getAttribute('title');
  return {
    seed: title.match(/seed (\d+)/)[1],
    lines: await place.locator('details pre').textContent(),
    dice: (await place.locator('.die > .hidden').allTextContents()).map((fate) => fate.match(/^−?\d+/)?.[0]),
    sentence: await place.getByRole('status').textContent(),
  };
}

// Games in which somebody decides, and how a person does.

import { readFileSync } from 'node:fs';

const game = (name) => readFileSync(new URL(`../../../examples/plays/${name}.dice`, import.meta.url), 'utf8').trim();
export const GAMES = { reroll: game('reroll'), pig: game('pig'), five: game('five') };

export const question = (page) => page.locator('section.question');
export const option = (page, name) => question(page).getByRole('group').getByRole('button', { name });

/** From now on a person decides. */
export async function decided(page) {
  const person = page.getByRole('button', { name: 'I decide' });
  await person.click();
}

/** Waits until there is something to take. */
export const asks = (page) => question(page).waitFor();

// What one does on the first face of the page, and what one reads there.

import assert from 'node:assert/strict';
import { eventually } from './visit.mjs';

export const editor = (page, name = 'Program') => page.getByRole('textbox', { name, exact: true });

/** Waits for the real editor, which takes the place of a plain field. */
export const editorReady = (page) => page.locator('.cm-content').waitFor();

/** Puts a text in the editor by typing over what is there. */
export async function write(page, text) {
  await editorReady(page);
  await editor(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** An empty line is drawn as a break within itself. */
export const written = (page) =>
  page.locator('.cm-line').allInnerTexts().then((lines) => lines.map((line) => line.replace(/\n$/, '')).join('\n').replaceAll('\u200b', ''));

export const answer = (page) => page.getByRole('region', { name: 'Answer' });

/** The line above a chart, which reads an outcome. */
export const readout = (page) => answer(page).locator('figure [role=status]').first();

/** The table of all outcomes, row by row. */
export async function table(page) {
  const button = page.getByRole('button', { name: 'Table', exact: true });
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
  return page.getByRole('region', { name: /^Table/ }).locator('tr').evaluateAll((rows) =>
    rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
}

/** Waits until the table shows exactly these chances, as fractions. */
export function showsExactly(page, { outcomes }) {
  const expected = outcomes.map(({ value, chance }) => [String(value), chance]);
  return eventually(async () => {
    const [head, ...rows] = await table(page);
    const fraction = head.indexOf('Fraction');
    assert.deepEqual(rows.map((row) => [row[0].replace(/, rolled$/, ''), row[fraction]]), expected);
  });
}

/** The large percentage of a yes or no, with its fraction. */
export async function truth(page) {
  const figure = page.locator('figure', { has: page.locator('dd.percent') }).first();
  return { percent: await figure.locator('dd.percent').innerText(), more: await figure.locator('dd.more').innerText() };
}

/** Waits until the answer is yes with this chance. */
export function showsChance(page, { outcomes }) {
  const { chance } = outcomes.find(({ value }) => value === true);
  return eventually(async () => assert.ok((await truth(page)).more.split(/\s+/).includes(chance), `${chance}: ${JSON.stringify(await truth(page))}`));
}

/** Downloads what a button offers: its name and text. */
export async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button, exact: true }).click()]);
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString('utf8') };
}

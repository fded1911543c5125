// The views of the page, each with the way to it: walked through by axe, on small phones, and for pictures.

import { deflateRawSync } from 'node:zlib';
import { write } from './ask.mjs';
import { open, roll, rollItButton, settled } from './play.mjs';

const e = (text) => `#e=${encodeURIComponent(text)}`;
const v1 = (state) => `#v1.${deflateRawSync(JSON.stringify({ v: 1, at: 'ask', ...state })).toString('base64url')}`;
const chart = (page) => page.getByRole('slider', { name: /outcomes, arrow keys/ }).first().waitFor();
const percent = (page) => page.locator('dd.percent').first().waitFor();

const THREE = 'show "in order" = 3d6\nshow "heroic" = 4d6kh3\nshow "gritty" = 2d6 + 6';
const FIVE = [2, 3, 4, 5, 6].map((n) => `show "${n} dice" = ${n}d6`).join('\n');
const INPUTS = '## What is added to the roll.\nparam bonus = 5\n\n## The number to reach.\nparam target = 15\n\nd20 + bonus >= target';

const GAMES = ['Stormchaser', 'd20 basics', 'Chronicles of Darkness', 'Crucible', 'Kaiser'];

async function press(page, name) {
  await chart(page);
  await page.getByRole('button', { name, exact: true }).click();
}
async function marked(page) {
  await chart(page);
  await page.getByRole('slider', { name: /^Chart/ }).focus();
  await page.keyboard.press('Enter');
}
async function rolled(page) {
  await chart(page);
  await roll(page, rollItButton(page));
}
async function completing(page) {
  await write(page, '');
  await page.keyboard.type('cofd.', { delay: 30 });
  await page.locator('.cm-tooltip-autocomplete').waitFor();
}
async function played(page, game) {
  await open(page, game);
  await roll(page);
  await settled(page);
}
async function opened(page, game, rule) {
  await open(page, game, rule);
  await settled(page);
}

export const VIEWS = [
  { name: 'ask', hash: '', ready: chart },
  { name: 'at-least', hash: v1({ text: '4d6kh3', view: 'at_least' }), ready: chart },
  { name: 'marked', hash: e('3d6'), ready: marked },
  { name: 'table', hash: e('4d6kh3'), ready: (page) => press(page, 'Table') },
  { name: 'compare', hash: v1({ text: THREE }), ready: chart },
  { name: 'compare-five', hash: v1({ text: FIVE }), ready: chart },
  { name: 'endless', hash: e('6d10! cs>=8'), ready: chart },
  { name: 'many', hash: e('40d20'), ready: chart },
  { name: 'sliders', hash: v1({ text: INPUTS }), ready: percent },
  { name: 'outcomes', hash: e('cofd.action(7, again: 9, rote: true).outcome'), ready: (page) => page.getByRole('rowheader', { name: /exceptional/ }).waitFor() },
  { name: 'error', hash: e('4d6r1'), ready: (page) => page.getByRole('list', { name: 'Problems' }).waitFor() },
  { name: 'over-budget', hash: e('1000d1000kh500'), ready: (page) => page.getByRole('button', { name: 'Allow ten times more' }).waitFor() },
  { name: 'bad-link', hash: '#v1.garbage', ready: (page) => page.getByRole('alert').waitFor() },
  { name: 'rolled', hash: e('7d10 ro<=7 ! cs>=8'), ready: rolled },
  { name: 'house-rule', hash: v1({ text: 'use "house.dice"\nhouse.ours()', files: { 'house.dice': '## A roll of ours.\nfn ours() = 2d6 + d4\n' } }), ready: chart },
  { name: 'file-dialog', hash: '', ready: (page) => press(page, '+ House rule') },
  { name: 'share-dialog', hash: e('4d6kh3'), ready: (page) => press(page, 'Share') },
  // The list scrolls with the choice while the focus stays in the editor, as listboxes do; axe cannot know that.
  { name: 'completion', hash: '', ready: completing, except: ['scrollable-region-focusable'] },
  ...GAMES.map((game) => ({ name: `play-${game.toLowerCase().replaceAll(' ', '-')}`, hash: '', ready: (page) => played(page, game) })),
  { name: 'play-what-stacks', hash: '', ready: (page) => opened(page, 'd20 basics', 'What stacks') },
  { name: 'play-opposed', hash: '', ready: (page) => opened(page, 'Kaiser', 'Opposed skills') },
];

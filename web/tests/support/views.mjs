// The views of the page, each with the way to it: walked through by axe, on small phones, and for pictures.

import { write } from './ask.mjs';
import { asks, decided, GAMES as PLAYS, question } from './decide.mjs';
import { open, roll, rollItButton, settled } from './play.mjs';
import { e, v1 } from './state.mjs';
import { begin, line, roll as rollAtTable } from './table.mjs';

const chart = (page) => page.getByRole('slider', { name: /outcomes, arrow keys/ }).first().waitFor();
const percent = (page) => page.locator('dd.percent').first().waitFor();

const THREE = 'show "in order" = 3d6\nshow "heroic" = 4d6kh3\nshow "gritty" = 2d6 + 6';
const FIVE = [2, 3, 4, 5, 6].map((n) => `show "${n} dice" = ${n}d6`).join('\n');
const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `show "${n} dice" = ${n}d6`).join('\n');
const RECORD = 'let die = d20\n{total: die + 7, margin: die - 8, hit: die >= 8, damage: if die >= 8 then 2d6 else 0}';
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
const parts = (page) => page.getByRole('region', { name: 'Parts of the result' }).waitFor();
const scrolled = (page, name) => page.getByRole('region', { name }).waitFor();
async function rolledMany(page) {
  await chart(page);
  await page.getByLabel('How often to roll').selectOption('1000');
  await rollItButton(page).click();
  await page.locator('circle.dot').first().waitFor();
}
async function rolled(page) {
  await chart(page);
  await roll(page, rollItButton(page));
}
const policy = (page) => page.getByRole('region', { name: 'Best play' }).waitFor();
async function asked(page) {
  await policy(page);
  await decided(page);
  await rollItButton(page).click();
  await asks(page);
  await question(page).getByRole('button', { name: 'What are they worth?' }).click();
  await question(page).locator('small').first().waitFor();
}
async function playedWell(page) {
  await policy(page);
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

async function curve(page) {
  await page.getByRole('button', { name: 'What if bonus varies' }).click();
  await page.getByRole('slider', { name: 'Curve over bonus' }).waitFor();
  await page.getByText('How much is enough?').click();
  await page.getByText('Bonus from 7 on gives').waitFor();
}
async function map(page) {
  for (const name of ['bonus', 'target']) await page.getByRole('button', { name: `What if ${name} varies` }).click();
  await page.getByRole('region', { name: /^Map of/ }).waitFor();
}
async function tray(page) {
  for (const die of ['d6', 'd6', 'd20', 'd%']) await page.getByRole('button', { name: `Add ${die}`, exact: true }).click();
  await chart(page);
}
async function programs(page) {
  await page.getByRole('button', { name: 'Add d6', exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByLabel('Folder, if you like').fill('Sums');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Programs', exact: true }).click();
  await page.getByRole('list', { name: 'Drafts' }).getByRole('button').first().waitFor();
}

const problem = (page) => page.getByRole('list', { name: 'Problems' }).waitFor();
/** The best picture of much work is a loop of many rounds. */
const RUNAWAY = '(repeat with n = 0, x = 0 next n = n + 1, x = (x * 7 + d6) % 1009 until n == 100000).x';
async function computing(page) {
  await page.getByRole('button', { name: 'Allow ten times more' }).click({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
}
async function stopped(page) {
  await computing(page);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('Stopped.').waitFor();
}
async function printed(page) {
  await chart(page);
  await page.emulateMedia({ media: 'print' });
}
const chapter = (page) => page.locator('main h1').waitFor();
async function runInBook(page) {
  const program = page.locator('.program').first();
  await program.getByRole('button', { name: 'Run it' }).click();
  await program.frameLocator('iframe').locator('figure').first().waitFor();
}
const LONG = [
  '# A fight that is told at length, so that the editor has something to scroll.',
  ...Array.from({ length: 40 }, (_, n) => `let round_${n + 1} = d20 + ${n} >= ${n + 11} # whether blow number ${n + 1} lands, and a comment that is far too long for a phone`),
  `show "blows that land" = ${Array.from({ length: 12 }, (_, n) => `(if round_${n + 1} then 1 else 0)`).join(' + ')}`,
].join('\n');
const ANYDICE = 'function: best of A:s and B:s { result: [highest of A and B] }\noutput [best of 2d6 and d12] named "two six or a twelve"\noutput 3d6 named "three"';
const HUNDREDS = Array.from({ length: 300 }, (_, n) => `show "${n + 1} dice" = ${n + 1}d6`).join('\n');
/** Names as nobody should choose them. */
const WIDE = `show "${'a name that goes on and on '.repeat(5).trim()}" = 3d6\nshow "${'unbroken'.repeat(14)}" = 2d6 + 6`;

/** What is looked at: width and height. */
export const SIZES = [[390, 780], [768, 1024], [1440, 900]];

export const VIEWS = [
  { name: 'ask', hash: '', ready: chart },
  { name: 'at-least', hash: v1({ text: '4d6kh3', view: 'at_least' }), ready: chart },
  { name: 'marked', hash: e('3d6'), ready: marked },
  { name: 'table', hash: e('4d6kh3'), ready: (page) => press(page, 'Table') },
  { name: 'compare', hash: v1({ text: THREE }), ready: chart },
  { name: 'compare-five', hash: v1({ text: FIVE }), ready: chart },
  { name: 'each-alone', hash: v1({ text: EIGHT }), ready: (page) => page.locator('figure li').first().waitFor() },
  { name: 'eight-lines', hash: v1({ text: EIGHT, look: { apart: false } }), ready: chart },
  { name: 'record', hash: v1({ text: RECORD, look: { fields: ['total', 'damage'] } }), ready: parts },
  { name: 'record-map', hash: v1({ text: RECORD, look: { joint: 'map', pair: ['damage', 'hit'] } }), ready: (page) => scrolled(page, 'Map of damage and hit') },
  { name: 'correlations', hash: v1({ text: RECORD, look: { joint: 'correlations' } }), ready: (page) => scrolled(page, 'Correlations') },
  { name: 'rolled-many', hash: e('4d6kh3'), ready: rolledMany },
  { name: 'embedded', hash: `embed.html?theme=light${e('4d6kh3')}`, ready: chart },
  { name: 'endless', hash: e('6d10! cs>=8'), ready: chart },
  { name: 'many', hash: e('40d20'), ready: chart },
  { name: 'sliders', hash: v1({ text: INPUTS }), ready: percent },
  { name: 'tray', hash: '', ready: tray },
  { name: 'card', hash: '', ready: (page) => page.getByText('The language on a card').click() },
  { name: 'curve', hash: v1({ text: INPUTS }), ready: curve },
  { name: 'map', hash: v1({ text: INPUTS }), ready: map },
  { name: 'programs', hash: '', ready: programs },
  { name: 'save-dialog', hash: '', ready: (page) => press(page, 'Save') },
  { name: 'play-dice', hash: '', ready: async (page) => { await page.getByRole('button', { name: 'Play', exact: true }).click(); await tray(page); } },
  { name: 'outcomes', hash: e('cofd.action(7, again: 9, rote: true).outcome'), ready: (page) => page.getByRole('rowheader', { name: /exceptional/ }).waitFor() },
  { name: 'error', hash: e('4d6r1'), ready: (page) => page.getByRole('list', { name: 'Problems' }).waitFor() },
  { name: 'over-budget', hash: e('1000d1000kh500'), ready: (page) => page.getByRole('button', { name: 'Allow ten times more' }).waitFor() },
  { name: 'bad-link', hash: '#v1.garbage', ready: (page) => page.getByRole('alert').waitFor() },
  { name: 'rolled', hash: e('7d10 ro<=7 ! cs>=8'), ready: rolled },
  { name: 'policy', hash: v1({ text: PLAYS.reroll }), ready: policy },
  { name: 'policy-long', hash: v1({ text: PLAYS.five }), ready: policy },
  { name: 'best-play', hash: v1({ text: PLAYS.pig }), ready: playedWell },
  { name: 'question', hash: v1({ text: PLAYS.reroll }), ready: asked },
  { name: 'question-many', hash: v1({ text: PLAYS.five }), ready: asked },
  { name: 'house-rule', hash: v1({ text: 'use "house.dice"\nhouse.ours()', files: { 'house.dice': '## A roll of ours.\nfn ours() = 2d6 + d4\n' } }), ready: chart },
  { name: 'file-dialog', hash: '', ready: (page) => press(page, '+ House rule') },
  { name: 'share-dialog', hash: e('4d6kh3'), ready: (page) => press(page, 'Share') },
  // The list scrolls with the choice while the focus stays in the editor, as listboxes do; axe cannot know that.
  { name: 'completion', hash: '', ready: completing, except: ['scrollable-region-focusable'] },
  { name: 'loading', hash: e('5d6 + d7 >= 23'), hold: /astragal_(first|often|last)[^/]*\.wasm$/, ready: (page) => page.getByText('Loading the engine').waitFor() },
  { name: 'computing', hash: e(RUNAWAY), ready: computing },
  { name: 'stopped', hash: e(RUNAWAY), ready: stopped },
  { name: 'too-deep', hash: e(`${'not '.repeat(700)}true`), ready: (page) => page.locator('.working .row').waitFor() },
  { name: 'anydice', hash: v1({ text: ANYDICE }), ready: chart },
  { name: 'anydice-wrong', hash: v1({ text: 'X: 3d6\noutput X + Y named "a"' }), ready: problem },
  { name: 'long-program', hash: v1({ text: LONG }), ready: chart },
  { name: 'wide-names', hash: v1({ text: WIDE }), ready: chart },
  { name: 'hundreds', hash: v1({ text: HUNDREDS }), ready: (page) => page.getByRole('region', { name: 'All results' }).waitFor() },
  { name: 'constant', hash: e('2 + 2'), ready: (page) => page.getByText('Always', { exact: false }).first().waitFor() },
  { name: 'empty', hash: v1({ text: '' }), ready: (page) => page.getByText('The language on a card').waitFor() },
  { name: 'huge-numbers', hash: e('10 ^ 40 * d6'), ready: chart },
  // Paper is not as narrow as a phone.
  { name: 'print', hash: v1({ text: THREE }), ready: printed, wide: true },
  { name: 'embedded-sliders', hash: `embed.html${v1({ text: INPUTS })}`, ready: percent },
  { name: 'embedded-wrong', hash: `embed.html${e('4d6r1')}`, ready: (page) => page.getByRole('alert').waitFor() },
  { name: 'book', hash: 'book/index.html', ready: chapter },
  { name: 'book-recipes', hash: 'book/recipes.html', ready: runInBook },
  { name: 'book-reference', hash: 'book/reference/dice.html', ready: chapter },
  { name: 'book-errors', hash: 'book/reference/errors.html', ready: chapter },
  { name: 'book-source', hash: 'book/source/cofd.html', ready: chapter },
  ...GAMES.map((game) => ({ name: `play-${game.toLowerCase().replaceAll(' ', '-')}`, hash: '', ready: (page) => played(page, game) })),
  { name: 'play-what-stacks', hash: '', ready: (page) => opened(page, 'd20 basics', 'What stacks') },
  { name: 'play-opposed', hash: '', ready: (page) => opened(page, 'Kaiser', 'Opposed skills') },
];

async function sat(page) {
  await begin(page);
  for (const text of ['2d6 + 3', '4d6kh3', 'cofd.action(5).outcome', '12d10 ! cs>=8']) await rollAtTable(page, text);
  await page.locator('.odds').getByText(/of rolls/).nth(2).waitFor();
}
/** The views of a table, on a server of its own. */
export const TABLES = [
  { name: 'table-begin', hash: 't/', ready: (page) => page.getByRole('button', { name: 'Make a table' }).waitFor() },
  { name: 'table', hash: 't/', ready: sat },
  { name: 'table-dice', hash: 't/', ready: async (page) => { await begin(page); await page.getByRole('button', { name: 'Dice', exact: true }).click(); } },
  { name: 'table-games', hash: 't/', ready: async (page) => { await begin(page); await page.getByRole('button', { name: 'Games', exact: true }).click(); await page.getByRole('button', { name: 'Chronicles of Darkness' }).click(); } },
  { name: 'table-wrong', hash: 't/', ready: async (page) => { await begin(page); await line(page).fill('4d6kx'); await page.locator('.problem').first().waitFor(); } },
];

// The first ten seconds: what this is, dice to tap, a card of the language, a book that can be read and tried, and an answer
// before the engine is there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, editorReady, showsChance, showsExactly, table, write, written } from './support/ask.mjs';
import { chapter, tries } from './support/book.mjs';
import { accessible, fits } from './support/look.mjs';
import { roll, rollButton, writes } from './support/play.mjs';
import { v1 } from './support/state.mjs';
import { odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit, shared } = visits();
const tap = (page, die) => page.getByRole('button', { name: `Add ${die}`, exact: true }).click();

test('the page says its name and what it is, also on a phone', async (t) => {
  for (const width of [320, 390, 1280]) {
    const page = await visit(t, { width });
    const name = page.getByRole('heading', { name: 'Astragal', level: 1 });
    await editorReady(page);
    assert.ok((await name.boundingBox()).width > 40, `the name is seen at ${width} px`);
    assert.ok(await page.getByText('Exact odds and explained rolls for any dice').isVisible());
    await fits(page, `the head at ${width} px`);
  }
});

test('dice are tapped, the text is written, its odds and a roll follow', async (t) => {
  const page = await visit(t);
  for (const die of ['d6', 'd6', 'd8']) await tap(page, die);
  await page.getByRole('button', { name: 'Modifier: more' }).click();
  await eventually(async () => assert.equal(await written(page), '2d6 + d8 + 1'));
  await showsExactly(page, odds('2d6 + d8 + 1'));
  await page.getByRole('combobox', { name: 'Thrown how' }).selectOption('advantage');
  await eventually(async () => assert.equal(await written(page), 'times(2, 2d6 + d8 + 1) kh1'));
  await showsExactly(page, odds('times(2, 2d6 + d8 + 1) kh1'));
  for (const die of ['d6 of 2d6', 'd6 of d6', 'd8 of d8']) await page.getByRole('button', { name: `Take away one ${die}`, exact: true }).click();
  await tap(page, 'd20');
  await eventually(async () => assert.equal(await written(page), 'd20'));
  await page.getByRole('combobox', { name: 'Thrown how' }).selectOption('disadvantage');
  await eventually(async () => assert.equal(await written(page), '2d20kl1'));
  await page.getByRole('button', { name: 'Roll it' }).click();
  await page.getByRole('region', { name: 'The roll' }).waitFor();
});

test('who has written nothing yet has made no mistake', async (t) => {
  const page = await visit(t);
  await tap(page, 'd6');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await eventually(async () => assert.equal(await answer(page).getAttribute('aria-busy'), 'false'));
  assert.equal(await page.getByRole('list', { name: 'Problems' }).count(), 0);
  const fresh = await visit(t, { hash: v1({ text: '' }) });
  await fresh.getByText('Tap dice or write a roll').waitFor();
  assert.equal(await fresh.getByRole('list', { name: 'Problems' }).count(), 0);
});

test('the tray follows what is written by hand, and leaves programs alone', async (t) => {
  const page = await visit(t);
  await write(page, '3d10 - 2');
  await page.getByRole('button', { name: 'Take away one d10 of 3d10' }).click();
  await eventually(async () => assert.equal(await written(page), '2d10 - 2'));
  await write(page, 'max(d6, 4)');
  await tap(page, 'd4');
  await eventually(async () => assert.equal(await written(page), 'd4'));
  await page.goBack();
  await eventually(async () => assert.equal(await written(page), 'max(d6, 4)'));
});

test('Play begins with a tray that is rolled and opened in the editor', async (t) => {
  const page = await visit(t);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await writes(page, 'd20');
  await tap(page, 'd6');
  await writes(page, 'd6 + d20');
  const { dice } = await roll(page, rollButton(page));
  assert.equal(dice.length, 2);
  await page.getByRole('button', { name: 'Open in editor' }).click();
  await eventually(async () => assert.equal(await written(page), 'd6 + d20'));
});

test('rules that throw nothing have no button to roll, and names of the language stay inside', async (t) => {
  const page = await visit(t);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const games = page.getByRole('group', { name: 'Game' });
  await games.getByRole('button', { name: /^Kaiser/ }).click();
  await page.getByRole('group', { name: 'Rule' }).getByRole('button', { name: 'Advantage left' }).click();
  await page.locator('.act').getByText('always').waitFor();
  assert.equal(await rollButton(page).count(), 0);
  await games.getByRole('button', { name: /^Chronicles/ }).click();
  await page.getByRole('group', { name: 'Rule' }).getByRole('button', { name: 'Contested' }).click();
  await page.locator('.act').getByText('a wins').waitFor();
  await roll(page);
  const said = (await page.locator('.table').allInnerTexts()).join('\n');
  assert.match(said, /successes of A/i);
  assert.doesNotMatch(said, /^(a|b|tie)$/m);
  await games.getByRole('button', { name: /^Crucible/ }).click();
  await roll(page);
  await page.getByText('the dice are d8 d8 d8').first().waitFor();
});

test('every line of the card is a program', async (t) => {
  const page = await visit(t);
  const card = page.getByText('The language on a card');
  await card.click();
  const lines = page.locator('details', { has: card }).getByRole('listitem').getByRole('button');
  const count = await lines.count();
  assert.ok(count >= 12);
  for (let at = 0; at < count; at++) {
    const line = await lines.nth(at).locator('code').innerText();
    await lines.nth(at).click();
    await eventually(async () => assert.equal(await written(page), line));
    await eventually(async () => assert.equal(await answer(page).getAttribute('aria-busy'), 'false'));
    assert.equal(await page.getByRole('list', { name: 'Problems' }).count(), 0, line);
  }
});

test('a table that is wider than the phone says that it goes on', async (t) => {
  const page = await visit(t, { width: 390, height: 844, hash: '#e=show%20%22a%22%20%3D%203d6%0Ashow%20%22another%20one%22%20%3D%204d6kh3' });
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.waitFor();
  assert.ok(await summary.evaluate((region) => region.scrollWidth > region.clientWidth), 'it is wider');
  assert.match(await summary.evaluate((region) => getComputedStyle(region).backgroundImage), /gradient/);
});

test('the first answer is there before the engine, and the engine says the same', async (t) => {
  const context = await shared.browser.newContext();
  t.after(() => context.close());
  let let_go;
  const held = new Promise((resolve) => (let_go = resolve));
  await context.route(/astragal_(first|often|last)[^/]*\.wasm$/, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  const page = await visit(t, { context });
  await showsExactly(page, odds('4d6kh3'));
  const before = await table(page);
  await page.getByRole('button', { name: /^Drag the target/ }).click();
  await showsChance(page, odds('d20 + 5 >= 15'));
  assert.equal(await answer(page).getAttribute('aria-busy'), 'true', 'the engine has not spoken');
  await page.goBack();
  let_go();
  await eventually(async () => assert.equal(await answer(page).getAttribute('aria-busy'), 'false'));
  assert.deepEqual(await table(page), before);
});

test('what was computed ahead is what the engine answers', async () => {
  const { answersOf, engine } = await import('../tools/answers.mjs');
  const { first, examples } = await answersOf();
  const again = await engine();
  assert.ok(examples.length > 30, `${examples.length} examples`);
  for (const [program, told] of [...first, ...examples.slice(0, 5)]) assert.equal(told, again(program), program);
});

test('a program of the book runs where it stands', async (t) => {
  const page = await visit(t);
  await chapter(page, 'reference/dice');
  const program = page.locator('.program').first();
  const run = program.getByRole('button', { name: 'Run it' });
  await run.click();
  const frame = program.frameLocator('iframe');
  await frame.getByRole('slider', { name: /outcomes, arrow keys/ }).waitFor();
  await eventually(async () => {
    const height = await program.locator('iframe').evaluate((one) => one.clientHeight - one.contentDocument.querySelector('main').scrollHeight);
    assert.ok(height >= -1 && height < 4, `the frame is as high as the answer: ${height}`);
  });
  assert.equal(await run.getAttribute('aria-expanded'), 'true');
  await accessible(page, 'a program that runs in the book');
  await run.click();
  assert.equal(await program.locator('iframe').count(), 0);
});

test('the book is read on the page, and its programs are opened there', async (t) => {
  const page = await visit(t);
  await page.getByRole('link', { name: 'Recipes', exact: true }).click();
  await page.getByRole('heading', { name: 'Recipes', level: 1 }).waitFor();
  await accessible(page, 'recipes');
  await page.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name: 'Dice', exact: true }).click();
  await page.getByRole('heading', { name: 'Dice', level: 1 }).waitFor();
  await tries(page).first().click();
  await showsExactly(page, odds('3d6'));
  await page.goBack();
  await page.getByRole('heading', { name: 'Dice', level: 1 }).waitFor();
  await chapter(page, 'recipes');
  await page.locator('.program', { hasText: 'astragal sweep' }).locator('a.try').click();
  await page.getByRole('region', { name: 'Map of chance over dc and bonus' }).waitFor();
});

test('every chapter fits, every link between chapters leads somewhere, every program opens', async (t) => {
  const page = await visit(t, { width: 360 });
  await chapter(page, 'index');
  const links = await page.locator('nav a').evaluateAll((all) => all.map((link) => link.href));
  assert.ok(links.length > 35, `${links.length} chapters`);
  const seen = new Map();
  for (const href of links) {
    const response = await page.goto(href);
    assert.equal(response.status(), 200, href);
    await fits(page, href);
    for (const to of await page.locator('main a[href*=".html"]').evaluateAll((all) => all.map((link) => link.href.split('#')[0]))) seen.set(to, href);
  }
  for (const [to, from] of seen) assert.ok(links.includes(to), `${from} links to ${to}`);
  for (const name of ['getting-started', 'reference/errors', 'source/cofd']) {
    await chapter(page, name);
    await accessible(page, name);
  }
});

test('who has opened the book has it without a network, and nobody else loads it', async (t) => {
  const page = await visit(t);
  await eventually(() => page.evaluate(async () => {
    if (!navigator.serviceWorker.controller) throw new Error('the page is not looked after yet');
  }));
  const stored = () => page.evaluate(async () => {
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return kept.flat().map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith('/book/'));
  });
  assert.deepEqual(await stored(), []);
  await chapter(page, 'recipes');
  await eventually(async () => assert.ok((await stored()).length > 40));
  await page.context().setOffline(true);
  await chapter(page, 'reference/pools');
  await page.getByRole('heading', { name: 'Pools', level: 1 }).waitFor();
});

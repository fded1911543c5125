// Ask and see: type a program, read its exact odds; be told what is wrong, and mend it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, editor, editorReady, readout, showsChance, showsExactly, table, write, written } from './support/ask.mjs';
import { astragal, odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit, shared } = visits();

test('what is typed is answered exactly', async (t) => {
  const page = await visit(t);
  await showsExactly(page, odds('4d6kh3'));
  for (const program of ['3d6', '2d6 + d8', 'd20 + 5']) {
    await write(page, program);
    await showsExactly(page, odds(program));
  }
  await write(page, 'd20 + 5 >= 15');
  await showsChance(page, odds('d20 + 5 >= 15'));
});

test('the first answer waits neither for the editor nor for the games', async (t) => {
  const context = await shared.browser.newContext();
  t.after(() => context.close());
  const held = [];
  await context.route(/\/(create|Play|Rolled)-[^/]*\.js$/, (route) => held.push(route.request().url()));
  const page = await visit(t, { context });
  await page.getByRole('slider', { name: /^Chart/ }).waitFor();
  await page.getByRole('textbox', { name: 'Program' }).fill('2d8');
  await showsExactly(page, odds('2d8'));
  await eventually(async () => assert.ok(held.length > 0, 'the editor is on its way'));
  assert.equal(await page.locator('.cm-content').count(), 0);
});

test('exactly, at least and at most, with the mean and the percentiles', async (t) => {
  const page = await visit(t);
  const { mean } = odds('4d6kh3');
  await eventually(async () => assert.match(await answer(page).innerText(), new RegExp(mean)));
  const rows = (await table(page)).slice(1);
  const beyond = (view) => JSON.parse(astragal('odds', '4d6kh3', '--json', '--view', view)).outcomes;
  assert.equal(rows.length, odds('4d6kh3').outcomes.length);
  assert.equal(rows[0][2], '100.00%', 'at least the lowest is certain');
  assert.equal(rows.at(-1)[3], '100.00%', 'at most the highest is certain');
  assert.equal(beyond('at-least').length, rows.length);

  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  const chart = page.getByRole('slider', { name: /^Chart/ });
  await chart.focus();
  await page.keyboard.press('End');
  for (const [view, words] of [['Exactly', '18:'], ['At least', 'at least 18:'], ['At most', 'at most 18:']]) {
    await page.getByRole('radio', { name: view }).check({ force: true });
    await chart.focus();
    await page.keyboard.press('End');
    await eventually(async () => assert.ok((await answer(page).innerText()).includes(words), words));
  }
});

test('a bar is read by pointer and by arrow keys', async (t) => {
  const page = await visit(t, { hash: '#e=3d6' });
  const chart = page.getByRole('slider', { name: /^Chart/ });
  await chart.focus();
  await page.keyboard.press('Home');
  const { chance } = odds('3d6').outcomes[0];
  const said = readout(page);
  await eventually(async () => assert.match(await said.innerText(), new RegExp(`^3:.*${chance}.*1 in 216`)));
  await page.keyboard.press('ArrowRight');
  await eventually(async () => assert.match(await said.innerText(), new RegExp(`^4:.*${odds('3d6').outcomes[1].chance}`)));
  await eventually(async () => {
    const box = await chart.boundingBox();
    await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2);
    assert.match(await said.innerText(), /^18:/);
  });
});

test('several results stand in one chart, with their names', async (t) => {
  const page = await visit(t);
  await write(page, 'show "in order" = 3d6\nshow "heroic" = 4d6kh3');
  await eventually(async () => {
    const text = await answer(page).innerText();
    assert.ok(text.includes('in order') && text.includes('heroic'), text);
  });
  assert.equal(await page.getByRole('slider').count(), 1);
});

test('endless dice tell the exact rest', async (t) => {
  const page = await visit(t);
  await write(page, '6d10! cs>=8');
  const { rest } = odds('6d10! cs>=8');
  await eventually(async () => assert.ok((await answer(page).innerText()).includes(rest), rest));
});

test('an error is underlined, said in the words of the terminal, and mended by a click', async (t) => {
  const page = await visit(t);
  await write(page, '4d6r1');
  const problems = page.getByRole('list', { name: 'Problems' });
  await problems.waitFor();
  const { message, code } = failure('4d6r1');
  assert.ok(code);
  await eventually(async () => assert.ok((await problems.innerText()).includes(message.replaceAll('`', '')), message));
  await eventually(async () => assert.equal(await page.locator('.cm-lintRange-error').count(), 1));
  await problems.getByRole('button', { name: /^Fix/ }).first().click();
  await eventually(async () => assert.equal(await problems.count(), 0));
  const mended = await written(page);
  assert.notEqual(mended, '4d6r1');
  await showsExactly(page, odds(mended));
});

test('a place in a message is a way to it', async (t) => {
  const page = await visit(t);
  await write(page, '1 +\n2d6 + nobody');
  const place = page.getByRole('list', { name: 'Problems' }).getByRole('button', { name: /line 2/ }).first();
  await place.click();
  await eventually(async () => {
    assert.ok(await editor(page).evaluate((content) => content.contains(document.activeElement)));
    assert.match(await page.evaluate(() => getSelection().toString()), /nobody/);
  });
});

test('completion knows the systems', async (t) => {
  const page = await visit(t);
  await write(page, '');
  await page.keyboard.type('cofd.', { delay: 30 });
  await eventually(async () => assert.ok((await page.locator('.cm-tooltip-autocomplete').innerText()).includes('action')));
  await page.keyboard.press('Escape');
});

test('colours come from the engine', async (t) => {
  const page = await visit(t, { hash: '#e=4d6kh3%20%2B%202' });
  await editorReady(page);
  await eventually(async () => assert.ok(await page.locator('.cm-line span[class^=tok-]').count() >= 3));
});

test('an example is one click', async (t) => {
  const page = await visit(t);
  await page.getByRole('button', { name: /^Compare three ways/ }).click();
  await eventually(async () => assert.ok((await answer(page).innerText()).includes('gritty')));
  for (const game of await page.getByRole('group', { name: 'Games' }).getByRole('button').all()) {
    await game.click();
    const before = await written(page);
    await page.getByRole('list', { name: /^Examples of/ }).getByRole('button').first().click();
    await eventually(async () => assert.notEqual(await written(page), before));
    await eventually(async () => assert.equal(await answer(page).getAttribute('aria-busy'), 'false'));
    assert.equal(await page.locator('li.card.error').count(), 0, await game.innerText());
  }
});

test('a slider for every input', async (t) => {
  const page = await visit(t);
  await page.getByRole('button', { name: /^Drag the target/ }).click();
  const program = await eventually(async () => {
    const text = await written(page);
    assert.match(text, /param target/);
    return text;
  });
  await showsChance(page, odds(program));
  const slider = page.getByRole('slider', { name: 'target, slider' });
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const moved = await slider.inputValue();
  await showsChance(page, odds(program, '--set', `target=${moved}`));
  await page.getByRole('button', { name: 'bonus: more' }).click();
  await showsChance(page, odds(program, '--set', `target=${moved}`, '--set', 'bonus=6'));
  await page.getByRole('button', { name: /Back to the program/ }).click();
  await showsChance(page, odds(program));
});

test('a house rule is a file beside the program', async (t) => {
  const page = await visit(t);
  await write(page, 'house.ours() >= 7');
  await page.getByRole('button', { name: '+ House rule' }).click();
  await page.getByRole('button', { name: 'Add it' }).click();
  await showsChance(page, odds('2d6 >= 7'));
  await page.getByRole('button', { name: 'Program', exact: true }).click();
  assert.match(await written(page), /^use "house.dice"/);
});

/** What the terminal says is wrong. */
function failure(program) {
  try {
    astragal('odds', program, '--json');
  } catch (ended) {
    return JSON.parse(ended.stdout).diagnostics[0];
  }
  throw new Error(`${program} is not wrong`);
}

test('an AnyDice program runs at once, says so, and is said in our language', async (t) => {
  const page = await visit(t);
  const theirs = 'X: 4 output [highest 3 of Xd6] named "a score"';
  await write(page, theirs);
  const card = page.getByRole('status').filter({ hasText: 'AnyDice' });
  await card.waitFor();
  await showsExactly(page, odds('4d6kh3'));
  await eventually(async () => assert.match(new URL(page.url()).hash, /./, 'the address holds it'));
  await page.reload();
  await card.waitFor();
  assert.equal(await written(page), theirs);
  await card.getByRole('button', { name: 'In Astragal' }).click();
  await eventually(async () => assert.equal(await written(page), 'show "a score" = 4d6kh3'));
  await card.waitFor({ state: 'detached' });
});

test('of many messages a few stand between the program and its odds', async (t) => {
  const page = await visit(t);
  await write(page, `${Array.from({ length: 20 }, (_, n) => `let a${n} = ${n}`).join('\n')}\nd6`);
  const problems = page.getByRole('list', { name: 'Problems' }).getByRole('listitem');
  await eventually(async () => assert.equal(await problems.count(), 5));
  await page.getByRole('button', { name: 'Show all 20 messages' }).click();
  assert.equal(await problems.count(), 20);
});

test('an AnyDice program that is wrong does not say that it runs', async (t) => {
  const page = await visit(t);
  await write(page, 'X: 3d6\noutput X + Y named "a"');
  const card = page.getByRole('status').filter({ hasText: 'AnyDice' });
  await card.getByText('This is read as a program of AnyDice.').waitFor();
  await page.getByRole('list', { name: 'Problems' }).getByText('has no value').waitFor();
  assert.equal(await card.getByRole('button').count(), 0);
});

test('of many results a few are drawn, by choice, and all are found by name', async (t) => {
  const page = await visit(t);
  await write(page, 'loop N over {1..1500} { output 2d7 + N named "target [N]" }');
  const all = page.getByRole('region', { name: 'All results' });
  await all.waitFor();
  const rows = all.locator('tbody tr');
  await eventually(async () => assert.match(await all.innerText(), /1,500 results/));
  assert.equal(await rows.count(), 50, 'a page of them');
  const summary = page.getByRole('region', { name: 'Summary' }).locator('tbody tr');
  assert.equal(await summary.count(), 3, 'and a few are drawn');
  await all.getByRole('button', { name: 'Next' }).click();
  await eventually(async () => assert.match(await rows.first().innerText(), /^target 51\s+59\b/));
  await all.getByRole('searchbox').fill('target 1234');
  await eventually(async () => assert.equal(await rows.count(), 1));
  await rows.getByRole('checkbox').check();
  await eventually(async () => assert.match(await summary.last().innerText(), /^target 1234\s+1242\b/));
});

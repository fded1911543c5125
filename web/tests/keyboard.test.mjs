// Everything by keyboard alone, beginning at the top of the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, editor, editorReady, readout, showsExactly } from './support/ask.mjs';
import { rollButton, writes } from './support/play.mjs';
import { odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();

/** Presses Tab until the focus is there; each stop on the way shows where it is. */
async function tabTo(page, target, { most = 80, key = 'Tab' } = {}) {
  for (let times = 0; times < most; times++) {
    if (await target.evaluate((element) => element === document.activeElement || element.contains(document.activeElement)).catch(() => false)) return;
    await page.keyboard.press(key);
    await assertVisibleFocus(page);
  }
  assert.fail(`the keyboard does not reach ${target}`);
}

async function assertVisibleFocus(page) {
  const seen = await page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return true;
    const shows = (each) => {
      const style = getComputedStyle(each);
      return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
    };
    // A hidden radio shows its focus on its label; the editor on its frame.
    const holders = [element, element.closest('label'), element.closest('fieldset'), element.closest('section')];
    return holders.some((each) => each && shows(each)) || element.closest('.sheet') !== null;
  });
  const name = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120));
  assert.ok(seen, `the focus is not seen on ${name}`);
}

test('ask, read and roll without a mouse', async (t) => {
  const page = await visit(t);
  await editorReady(page);
  await tabTo(page, editor(page));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('3d6');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.ok(!(await editor(page).evaluate((element) => element.contains(document.activeElement))), 'Tab leaves the editor');

  const rollIt = page.getByRole('button', { name: 'Roll it' });
  await tabTo(page, rollIt);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'The roll' }).waitFor();

  await tabTo(page, page.getByRole('radio', { name: 'Exactly' }));
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.getByRole('radio', { name: 'At least' }).isChecked());
  await page.keyboard.press('ArrowLeft');

  const chart = page.getByRole('slider', { name: /^Chart/ });
  await tabTo(page, chart);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const said = readout(page);
  await eventually(async () => assert.match(await said.innerText(), new RegExp(`^4:.*${odds('3d6').outcomes[1].chance}`)));
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await answer(page).innerText(), /Chance of at least 4/));

  await tabTo(page, page.getByRole('button', { name: 'Table', exact: true }), { key: 'Shift+Tab' });
  await page.keyboard.press('Space');
  await showsExactly(page, odds('3d6'));
  await tabTo(page, page.getByRole('region', { name: /^Table/ }));
});

test('play without a mouse', async (t) => {
  const page = await visit(t);
  await tabTo(page, page.getByRole('button', { name: 'Play', exact: true }));
  await page.keyboard.press('Enter');
  const game = page.getByRole('button', { name: /^Chronicles of Darkness/ });
  await game.waitFor();
  await tabTo(page, game);
  await page.keyboard.press('Enter');
  const pool = page.getByLabel('Dice pool', { exact: true });
  await tabTo(page, pool);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('6');
  await page.keyboard.press('ArrowUp');
  await tabTo(page, page.getByRole('radio', { name: '10-again' }));
  await page.keyboard.press('ArrowRight');
  await tabTo(page, page.getByLabel('Rote action'));
  await page.keyboard.press('Space');
  await writes(page, 'cofd.action(7, again: 9, rote: true)');
  await tabTo(page, rollButton(page));
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'The roll' }).waitFor();
  await tabTo(page, page.getByRole('button', { name: /^Replay:/ }).first());
  await page.keyboard.press('Enter');
});

test('a dialog takes the focus and gives it back', async (t) => {
  const page = await visit(t);
  const share = page.getByRole('button', { name: 'Share', exact: true });
  await tabTo(page, share);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Share this' });
  await dialog.waitFor();
  assert.ok(await dialog.evaluate((element) => element.contains(document.activeElement)));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  assert.ok(await share.evaluate((element) => element === document.activeElement));
});

test('the first stop leads past the head of the page', async (t) => {
  const page = await visit(t);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
});

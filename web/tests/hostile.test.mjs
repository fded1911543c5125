// More than anybody should bring: texts and files of megabytes, thousands of programs, a storage that is full or forbidden. The
// page goes on, says what it does not keep, and loses nothing that it said it has.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { editor, editorReady, showsExactly, write, written } from './support/ask.mjs';
import { odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit } = visits();
const programs = async (page) => {
  await page.getByRole('button', { name: 'Programs', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Programs' });
  await dialog.waitFor();
  return dialog;
};
async function save(page, name) {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Save the program' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
}
/** Takes in a file from the disk: what is large would be long on its way to the browser. */
const folder = mkdtempSync(join(tmpdir(), 'astragal-files-'));
after(() => rmSync(folder, { recursive: true }));
async function take(dialog, text) {
  const path = join(folder, 'a.json');
  writeFileSync(path, text);
  await dialog.getByLabel('File to take in').setInputFiles(path);
}
const file = (saved, drafts = []) => JSON.stringify({ astragal: 'everything', v: 1, made: '', saved, drafts, rolls: [] });
const one = (id, name, text, folder = '') => ({ id, name, folder, time: 1, state: { v: 1, at: 'ask', text } });
async function paste(page, text) {
  await editorReady(page);
  await editor(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
/** How long the page takes to do nothing. */
async function delay(page) {
  const since = Date.now();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return Date.now() - since;
}

test('a text of megabytes is refused, not kept, not linked, and gone with one key', async (t) => {
  const page = await visit(t);
  await paste(page, '2d6 + # and so on\n'.repeat(200_000));
  await page.getByRole('alert').getByText('more than 200,000 letters is not kept').waitFor();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByText('too long for a link').waitFor();
  await save(page, 'Too long');
  await page.getByText('too long to be saved').waitFor();
  await write(page, '2d6');
  await showsExactly(page, odds('2d6'));
  await page.reload();
  await eventually(async () => assert.equal(await written(page), '2d6'));
});

test('a program as long as may be is coloured, kept and linked', async (t) => {
  const page = await visit(t);
  const most = `${Array.from({ length: 1900 }, (_, n) => `# line ${n}: ${'x'.repeat(80)}${n % 10 ? '' : `\nlet a${n} = ${n}`}`).join('\n')}\nd6`;
  assert.ok(most.length > 170_000 && most.length < 200_000, `${most.length}`);
  await paste(page, most);
  await showsExactly(page, odds('d6'));
  await editor(page).focus();
  await page.keyboard.press('ControlOrMeta+End');
  await page.locator('.cm-line .tok-dice').last().waitFor();
  for (let times = 0; times < 5; times++) {
    await page.keyboard.type('#');
    const waited = await delay(page);
    assert.ok(waited < 1000, `${waited} ms for a key`);
  }
  await page.reload();
  await editorReady(page);
  await eventually(async () => assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem('astragal.drafts'))[0].state.text.length), most.length + 5));
  await showsExactly(page, odds('d6'));
});

test('a file that is too large is not even read; one of ten megabytes that is none of ours is refused', async (t) => {
  const page = await visit(t);
  const dialog = await programs(page);
  await take(dialog, 'x'.repeat(10_000_000));
  await dialog.getByRole('alert').getByText('could not be read').waitFor();
  await take(dialog, ' '.repeat(20_000_001));
  await dialog.getByRole('alert').getByText('too large').waitFor();
});

test('thousands of saved programs come in, are found by name, and open', async (t) => {
  const page = await visit(t);
  const dialog = await programs(page);
  const many = Array.from({ length: 8000 }, (_, n) => one(`id-${n}`, `Program ${n}`, `${n + 2}d6`, `Folder ${n % 500}`));
  const since = Date.now();
  await take(dialog, file(many));
  await page.getByText('8000 programs came in').waitFor();
  // The same again: none of them twice.
  await take(dialog, file(many));
  await page.getByText('0 programs came in').waitFor();
  assert.ok(Date.now() - since < 15_000, `${Date.now() - since} ms`);
  assert.ok((await dialog.getByRole('listitem').count()) < 250, 'not all are drawn');
  await dialog.getByRole('searchbox', { name: 'Find a saved program' }).fill('program 7013');
  await eventually(async () => assert.equal(await dialog.getByRole('button', { name: /^Program \d+$/ }).count(), 1));
  await dialog.getByRole('button', { name: 'Program 7013', exact: true }).click();
  await eventually(async () => assert.equal(await written(page), '7015d6'));
});

test('programs of a file that share a name of the machine are all there', async (t) => {
  const page = await visit(t);
  const dialog = await programs(page);
  const drafts = [1, 2].map((n) => ({ id: 'd', time: n, state: { v: 1, at: 'ask', text: `d${n + 2}` } }));
  await take(dialog, file([one('same', 'First', 'd4'), one('same', 'Second', 'd6'), one('same', 'Third', 'd8')], drafts));
  const saved = dialog.getByRole('list', { name: 'Saved', exact: true });
  await eventually(async () => assert.equal(await saved.getByRole('listitem').count(), 3));
  await saved.getByRole('button', { name: /^Second/ }).first().click();
  await eventually(async () => assert.equal(await written(page), 'd6'));
});

test('a second name of eighty letters is a name', async (t) => {
  const page = await visit(t);
  await write(page, '2d6');
  await save(page, 'n'.repeat(80));
  let dialog = await programs(page);
  await dialog.getByRole('button', { name: /^Save this one/ }).click();
  await page.getByRole('dialog', { name: 'Save the program' }).getByRole('button', { name: 'Save', exact: true }).click();
  dialog = await programs(page);
  assert.equal(await dialog.getByRole('list', { name: 'Saved', exact: true }).getByRole('listitem').count(), 2);
  await page.reload();
  dialog = await programs(page);
  await eventually(async () => assert.equal(await dialog.getByRole('list', { name: 'Saved', exact: true }).getByRole('listitem').count(), 2));
});

test('what a full storage does not take lasts as long as the page, all of it', async (t) => {
  const page = await visit(t);
  await editorReady(page);
  await write(page, '2d4');
  await save(page, 'Kept');
  await page.getByText('Saved as Kept').waitFor();
  await page.evaluate(() => {
    window.full = Storage.prototype.setItem;
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  for (const name of ['Second', 'Third']) {
    await page.getByRole('button', { name: 'Programs', exact: true }).click();
    await page.getByRole('button', { name: /^Save this one/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Save the program' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('full or forbidden').first().waitFor();
  }
  let dialog = await programs(page);
  const names = () => dialog.getByRole('list', { name: 'Saved', exact: true }).getByRole('button', { name: /^(Kept|Second|Third)$/ }).allInnerTexts();
  assert.deepEqual(await names(), ['Kept', 'Second', 'Third']);
  await dialog.getByRole('button', { name: 'Close' }).click();
  // There is room again: what waited is kept with what comes next.
  await page.evaluate(() => (Storage.prototype.setItem = window.full));
  await page.keyboard.press('ControlOrMeta+s');
  await page.reload();
  dialog = await programs(page);
  await eventually(async () => assert.deepEqual(await names(), ['Kept', 'Second', 'Third']));
});

test('where storage is forbidden, the page works and says so', async (t) => {
  const page = await visit(t);
  await page.context().addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await page.reload();
  await write(page, '2d3');
  await page.getByRole('alert').getByText('storage is full or forbidden').waitFor();
  await showsExactly(page, odds('2d3'));
  await page.getByRole('button', { name: /^Colours:/ }).click();
  await page.getByRole('button', { name: 'Roll it' }).click();
  await page.getByRole('region', { name: 'The roll' }).waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('group', { name: 'Game' }).waitFor();
});

// Nothing is lost: drafts, saved programs, real history, links that leave one's work alone, everything as one file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { download, editor, editorReady, showsExactly, write, written } from './support/ask.mjs';
import { accessible } from './support/look.mjs';
import { writes } from './support/play.mjs';
import { odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit, shared } = visits();
const holds = (page, text) => eventually(async () => assert.equal(await written(page), text));
const titled = (page, words) => eventually(async () => assert.match(await page.title(), words));
const programs = async (page) => {
  await page.getByRole('button', { name: 'Programs', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Programs' });
  await dialog.waitFor();
  return dialog;
};
/** Typing is kept a moment after it ends. */
const settled = (page, words) => eventually(async () => assert.match(decodeURIComponent(page.url()), words));

async function save(page, name, folder) {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Save the program' });
  await dialog.getByLabel('Name').fill(name);
  if (folder) await dialog.getByLabel('Folder, if you like').fill(folder);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
}

test('opening a link leaves the draft alone, and Back goes back to it', async (t) => {
  const page = await visit(t);
  await write(page, '5d4 + 1');
  await settled(page, /5d4/);
  await page.goto(`${shared.server.address}#e=3d8`);
  await holds(page, '3d8');
  await page.goBack();
  await holds(page, '5d4 + 1');
  await page.goForward();
  await holds(page, '3d8');
  const dialog = await programs(page);
  await dialog.getByRole('list', { name: 'Drafts' }).getByRole('button', { name: /^5d4 \+ 1/ }).click();
  await holds(page, '5d4 + 1');
});

test('a link in another tab leaves the drafts of all tabs alone', async (t) => {
  const page = await visit(t);
  const context = page.context();
  await write(page, '7d4');
  await settled(page, /7d4/);
  const other = await visit(t, { context, hash: '#e=2d12' });
  await write(other, '2d12 + 2');
  await settled(other, /2d12 \+ 2/);
  const third = await visit(t, { context });
  await holds(third, '2d12 + 2');
  await write(third, '2d12 + 3');
  await settled(third, /2d12 \+ 3/);
  for (const [tab, text] of [[page, '7d4'], [other, '2d12 + 2'], [third, '2d12 + 3']]) {
    await tab.reload();
    await holds(tab, text);
  }
});

test('examples, faces and rules are steps, typing is not', async (t) => {
  const page = await visit(t);
  await showsExactly(page, odds('4d6kh3'));
  await page.getByRole('button', { name: /^Two dice/ }).click();
  await holds(page, '2d6');
  await page.getByRole('button', { name: /^A yes or no/ }).click();
  await holds(page, 'd20 + 5 >= 15');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('group', { name: 'Game' }).getByRole('button', { name: /^Crucible/ }).click();
  await page.getByLabel('Boons', { exact: true }).fill('2');
  await eventually(async () => assert.match(await page.locator('.expression pre').innerText(), /boons: 2/));
  await settled(page, /#v1\./);
  await page.goBack();
  await writes(page, 'd20');
  await page.goBack();
  await holds(page, 'd20 + 5 >= 15');
  await write(page, 'd20 + 5 >= 16');
  await page.keyboard.type('7');
  await settled(page, /d20 \+ 5 >= 167/);
  await page.goBack();
  await holds(page, '2d6');
  await page.goBack();
  await holds(page, '4d6kh3');
  await page.goForward();
  await page.goForward();
  await holds(page, 'd20 + 5 >= 167');
});

test('the tab is called what the program is called', async (t) => {
  const page = await visit(t);
  await titled(page, /^4d6kh3 · Astragal$/);
  await write(page, '# A duel.\nd6 > d8');
  await titled(page, /^A duel · Astragal$/);
  await save(page, 'The duel', 'Fights');
  await titled(page, /^The duel · Astragal$/);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('group', { name: 'Game' }).getByRole('button', { name: /^Kaiser/ }).click();
  await titled(page, /^Kaiser: .+ · Astragal$/);
});

test('programs are saved with names and folders, changed, renamed, moved and deleted', async (t) => {
  const page = await visit(t);
  await write(page, '3d6');
  await save(page, 'Plain', 'Scores');
  await write(page, '3d6 + 1');
  await page.getByLabel('changed since it was saved').waitFor();
  await page.reload();
  await holds(page, '3d6 + 1');
  let dialog = await programs(page);
  await accessible(page, 'programs');
  await dialog.getByRole('list', { name: 'Saved in Scores' }).getByRole('button', { name: 'Plain', exact: true }).click();
  await holds(page, '3d6');
  await page.goBack();
  await holds(page, '3d6 + 1');
  await page.keyboard.press('ControlOrMeta+s');
  await eventually(async () => assert.equal(await page.getByLabel('changed since it was saved').count(), 0));
  dialog = await programs(page);
  await dialog.getByRole('button', { name: 'Change Plain' }).click();
  await dialog.getByLabel('Name').fill('Better');
  await dialog.getByLabel('Folder').fill('Old');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  const old = dialog.getByRole('list', { name: 'Saved in Old' });
  await old.getByRole('button', { name: 'Better', exact: true }).click();
  await holds(page, '3d6 + 1');
  dialog = await programs(page);
  await dialog.getByRole('button', { name: 'Change Better' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Yes, delete it' }).click();
  await eventually(async () => assert.equal(await old.count(), 0));
});

test('switching tabs and faces keeps what can be undone', async (t) => {
  const page = await visit(t);
  await write(page, '2d6');
  await page.keyboard.type(' + 1', { delay: 10 });
  await page.getByRole('button', { name: '+ House rule' }).click();
  await page.getByRole('button', { name: 'Add it' }).click();
  await page.getByRole('textbox', { name: 'File house.dice' }).waitFor();
  await page.getByRole('group', { name: 'Files' }).getByRole('button', { name: 'Program' }).click();
  await eventually(async () => assert.match(await written(page), /2d6 \+ 1$/));
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('group', { name: 'Game' }).waitFor();
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await editorReady(page);
  await editor(page).focus();
  for (let times = 0; times < 6 && (await written(page)) !== '4d6kh3'; times++) await page.keyboard.press('ControlOrMeta+z');
  assert.equal(await written(page), '4d6kh3');
});

test('a file tab is a step', async (t) => {
  const page = await visit(t);
  await page.getByRole('button', { name: '+ House rule' }).click();
  await page.getByRole('button', { name: 'Add it' }).click();
  const files = page.getByRole('group', { name: 'Files' });
  await files.getByRole('button', { name: 'Program' }).click();
  await page.getByRole('textbox', { name: 'Program' }).waitFor();
  await page.goBack();
  await page.getByRole('textbox', { name: 'File house.dice' }).waitFor();
});

test('an earlier roll opens beside what is written, not over it', async (t) => {
  const page = await visit(t);
  await write(page, '2d4');
  await page.getByRole('button', { name: 'Roll it' }).click();
  await page.getByText('Earlier rolls').click();
  await write(page, '9d4');
  await settled(page, /9d4/);
  await page.getByRole('button', { name: /^Replay:/ }).first().click();
  await holds(page, '2d4');
  await page.goBack();
  await holds(page, '9d4');
});

test('everything goes into a file and comes back; a bad file is refused and nothing is lost', async (t) => {
  const page = await visit(t);
  await write(page, '6d6');
  await save(page, 'Six', 'Sums');
  await write(page, '6d6 + 6');
  await settled(page, /6d6 \+ 6/);
  let dialog = await programs(page);
  const file = await download(page, 'Save everything');
  assert.equal(file.name, 'astragal.json');
  assert.equal(JSON.parse(file.text).v, 1);

  const elsewhere = await visit(t);
  await write(elsewhere, '1d3');
  await settled(elsewhere, /1d3/);
  dialog = await programs(elsewhere);
  const take = (text) => dialog.getByLabel('File to take in').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  const before = await elsewhere.evaluate(() => JSON.stringify(localStorage));
  const bad = [
    'nonsense', '{}', '[]', 'null', file.text.slice(0, -40), file.text.replace('"v": 1', '"v": 2'),
    file.text.replace('"name": "Six"', '"name": 6'), file.text.replace('"saved": [', '"saved": [7,'),
  ];
  for (const text of bad) {
    await take(text);
    await dialog.getByRole('alert').getByText('Nothing was changed').waitFor();
    assert.equal(await elsewhere.evaluate(() => JSON.stringify(localStorage)), before, text.slice(0, 40));
  }
  await take(file.text);
  // Said in the dialog, for all else is dark and silent.
  await dialog.getByRole('status').getByText(/^[12] programs? came in$/).waitFor();
  await dialog.getByRole('list', { name: 'Saved in Sums' }).getByRole('button', { name: 'Six', exact: true }).waitFor();
  const drafts = dialog.getByRole('list', { name: 'Drafts' });
  await drafts.getByRole('button', { name: /^1d3/ }).waitFor();
  await take(file.text);
  await eventually(async () => assert.equal(await dialog.getByRole('list', { name: 'Saved in Sums' }).getByRole('listitem').count(), 1));
  await dialog.getByRole('list', { name: 'Saved in Sums' }).getByRole('button', { name: 'Six', exact: true }).click();
  await holds(elsewhere, '6d6');
});

test('without storage the page works, and says what that means', async (t) => {
  const page = await visit(t);
  await editorReady(page);
  await page.context().addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await page.reload();
  await write(page, '2d3');
  await page.getByRole('alert').getByText('storage is full or forbidden').waitFor();
  await showsExactly(page, odds('2d3'));
});

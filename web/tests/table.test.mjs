// Three browsers at one table, on the real server: everyone sees every die, whatever happens to connections and tabs; what nobody
// may see stays hidden; and a house that lies is called so.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { download } from './support/ask.mjs';
import { accessible, fits, pressable } from './support/look.mjs';
import { begin, cards, line, newest, roll, sitDown, tables } from './support/table.mjs';
import { binary } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit: visiting } = visits(async () => ({ stop() {} }));

const pictures = fileURLToPath(new URL('screenshots', import.meta.url));
mkdirSync(pictures, { recursive: true });

/** Each test has a server of its own: an address makes few tables an hour. */
const servers = new Map();
after(async () => {
  for (const server of servers.values()) await (await server).stop();
});
async function visit(t, options) {
  if (!servers.has(t)) servers.set(t, tables());
  return visiting(t, { ...options, server: await servers.get(t) });
}
/** Mara's table, with those who sit down at it. */
async function table(t, ...others) {
  const mara = await visit(t, { hash: 't/' });
  const link = await begin(mara);
  const pages = [];
  for (const [name, options] of others) {
    const page = await visit(t, { hash: 't/', ...options });
    await sitDown(page, link, name);
    pages.push(page);
  }
  return { link, mara, pages };
}
const shows = (page, count) => eventually(async () => {
  assert.equal(await cards(page).count(), count);
  assert.equal(await cards(page).getByText(/^rolling …/).count(), 0);
});
const totals = (page) => page.getByRole('article').locator('.total b').allInnerTexts();
async function log(page) {
  const { text } = await download(page, 'Download the log');
  return text.trim().split('\n').slice(0, -1);
}
/** What the server sends to who comes by a link, up to a line of this kind. */
async function events(link, kind) {
  const [, root, table, secret] = /^(.*)t\/(\w+)#(\w+)$/.exec(link);
  const stop = new AbortController();
  const { body } = await fetch(`${root}api/tables/${table}/events`, { headers: { authorization: `Bearer ${secret}` }, signal: stop.signal });
  let text = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes(`"kind":"${kind}"`) && text.endsWith('\n\n')) break;
  }
  stop.abort();
  return text;
}
/** The same log everywhere, and the terminal finds it right. */
async function agree(...pages) {
  const logs = await eventually(async () => {
    const all = [];
    for (const page of pages) all.push(await log(page));
    for (const one of all) assert.deepEqual(one, all[0]);
    return all;
  });
  const folder = mkdtempSync(join(tmpdir(), 'astragal-log-'));
  const { text } = await download(pages[0], 'Download the log');
  writeFileSync(join(folder, 'log.jsonl'), text);
  const said = execFileSync(binary, ['verify', join(folder, 'log.jsonl')], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  assert.match(said, /everything fits/);
  return logs[0].map((one) => JSON.parse(one));
}

test('from one press to a roll that all see', async (t) => {
  const { mara, pages: [ulf, ida] } = await table(t, ['Ulf', { width: 390, height: 780, touch: true }], ['Ida']);
  await roll(ulf, '2d6 + 3');
  for (const page of [mara, ulf, ida]) await shows(page, 1);
  const [total] = await totals(mara);
  for (const page of [ulf, ida]) assert.deepEqual(await totals(page), [total]);
  // Who hears the page hears the same in a sentence.
  await eventually(async () => assert.ok((await ida.getByRole('log').innerText()).includes(`Ulf rolls 2d6 + 3: ${total}.`)));
  await mara.getByText('of rolls are this or more').waitFor();
  await mara.getByRole('button', { name: /witnessed by Mara and Ida/ }).waitFor();
  await roll(ida, '4d6kh3');
  for (const page of [mara, ulf, ida]) await shows(page, 2);
  await cards(mara).last().locator('.die.out').waitFor();
  await mara.screenshot({ path: `${pictures}/table-three.png` });
  await ulf.screenshot({ path: `${pictures}/table-three-390.png` });
  await ulf.getByRole('button', { name: 'Checked' }).click();
  const lines = await agree(mara, ulf, ida);
  assert.equal(lines.filter(({ kind }) => kind === 'close').length, 2);
});

test('what a game master rolls in secret is seen by no one else, until it is revealed', async (t) => {
  const { mara, pages: [ulf] } = await table(t, ['Ulf']);
  assert.equal(await mara.getByLabel('Who sees it').inputValue(), 'owner');
  await roll(mara, 'd20 + 7', 'owner');
  await shows(mara, 1);
  await eventually(async () => assert.match((await totals(mara))[0] ?? '', /^\d+$/));
  await shows(ulf, 1);
  assert.deepEqual(await totals(ulf), []);
  assert.equal(await ulf.getByText('d20 + 7').count(), 0);
  await ulf.getByText('The dice lie under the cup.').waitFor();
  await ulf.screenshot({ path: `${pictures}/table-secret.png` });
  await mara.screenshot({ path: `${pictures}/table-secret-mine.png` });
  await mara.getByRole('button', { name: 'Reveal' }).click();
  await eventually(async () => assert.deepEqual(await totals(ulf), await totals(mara)));
  await ulf.getByText('d20 + 7').first().waitFor();
  await agree(mara, ulf);
});

test('the luck of the evening counts what its viewer has seen', async (t) => {
  const { mara, pages: [ulf] } = await table(t, ['Ulf', { width: 390, height: 780, touch: true }]);
  for (const text of ['3d6', 'd20', 'd20 + 5 >= 15', '4d6kh3', 'd100']) await roll(ulf, text);
  await roll(mara, 'd20 + 7', 'owner');
  await shows(mara, 6);
  await shows(ulf, 6);
  const lucky = async (page) => {
    if (page === ulf) await page.getByRole('button', { name: /here$/ }).click();
    await page.getByText('The luck of the evening').click();
    await page.getByText(/of 100 such evenings/).first().waitFor();
    return page.locator('details', { hasText: 'The luck of the evening' }).innerText();
  };
  const [maras, ulfs] = [await lucky(mara), await lucky(ulf)];
  assert.match(maras, /Ulf (luckier|unluckier|as lucky)[^]*5 rolls count; places [\d.]+, 2.5 is average[^]*Luckiest[^]*% are that or more[^]*Unluckiest[^]*% are that or less/);
  assert.match(maras, /Mara too few rolls to speak of luck[^]*1 roll counts/);
  // Of what is hidden from him he is told that it does not count, and nothing else.
  assert.match(ulfs, /5 rolls count/);
  assert.doesNotMatch(ulfs, /Mara/);
  assert.match(ulfs, /Not counted: 1 still hidden\./);
  for (const page of [mara, ulf]) {
    await accessible(page);
    await fits(page);
  }
  await mara.screenshot({ path: `${pictures}/table-luck.png` });
  await ulf.screenshot({ path: `${pictures}/table-luck-390.png` });
});

test('a connection that is lost loses nothing and doubles nothing', async (t) => {
  const { mara, pages: [ulf, ida] } = await table(t, ['Ulf'], ['Ida']);
  await roll(ulf, 'd6');
  for (const page of [mara, ulf, ida]) await shows(page, 1);
  await ida.context().setOffline(true);
  await ida.getByText('The connection is lost.').waitFor();
  await roll(ida, 'd12');
  await ida.getByText('d12 … waits').waitFor();
  await ida.screenshot({ path: `${pictures}/table-lost.png` });
  await roll(ulf, 'd8');
  await shows(mara, 2);
  await ida.context().setOffline(false);
  for (const page of [mara, ulf, ida]) await shows(page, 3);
  assert.equal(await ida.getByText('The connection is lost.').count(), 0);
  const lines = await agree(mara, ulf, ida);
  const rolls = lines.filter(({ kind }) => kind === 'ask' || kind === 'roll').map(({ request }) => JSON.parse(request).text);
  assert.deepEqual(rolls, ['d6', 'd8', 'd12']);
});

test('a server that is killed and comes back finds everyone where they sat', async (t) => {
  const { mara, pages: [ulf] } = await table(t, ['Ulf']);
  await roll(ulf, 'd6');
  for (const page of [mara, ulf]) await shows(page, 1);
  const server = await servers.get(t);
  await server.kill();
  await ulf.getByText('The connection is lost.').waitFor();
  await roll(ulf, 'd8');
  await server.again();
  for (const page of [mara, ulf]) await shows(page, 2);
  for (const page of [mara, ulf]) assert.equal(await page.getByRole('alert').count(), 0);
  const lines = await agree(mara, ulf);
  assert.equal(lines.filter(({ kind }) => kind === 'close').length, 2);
});

test('who loads the page again sits where they sat', async (t) => {
  const { mara, pages: [ulf] } = await table(t, ['Ulf']);
  await roll(ulf, 'd6');
  await shows(ulf, 1);
  await ulf.reload();
  await line(ulf).waitFor();
  await shows(ulf, 1);
  await roll(ulf, 'd8');
  for (const page of [mara, ulf]) await shows(page, 2);
  const lines = await agree(mara, ulf);
  assert.equal(lines.filter(({ kind }) => kind === 'seat').length, 2);
});

test('of two tabs of one seat one acts, and either may', async (t) => {
  const { mara, link, pages: [ulf] } = await table(t, ['Ulf']);
  await roll(ulf, 'd6');
  await shows(mara, 1);
  const other = await visit(t, { hash: 't/', context: ulf.context() });
  await other.goto(link);
  await other.getByText('You sit at this table in another tab').waitFor();
  assert.equal(await line(other).count(), 0);
  await other.screenshot({ path: `${pictures}/table-elsewhere.png` });
  await other.getByRole('button', { name: 'Sit here instead' }).click();
  await line(other).waitFor();
  await ulf.getByText('You sit at this table in another tab').waitFor();
  await roll(other, 'd8');
  for (const page of [mara, ulf, other]) await shows(page, 2);
  assert.equal(await ulf.getByRole('alert').count(), 0);
  await other.close();
  await line(ulf).waitFor();
  await roll(ulf, 'd10');
  await shows(mara, 3);
  await agree(mara, ulf);
});

test('without locks, and deaf to each other, two tabs still sign no number twice', async (t) => {
  const { mara, link, pages: [ulf] } = await table(t, ['Ulf']);
  await ulf.context().addInitScript(() => {
    Object.defineProperty(navigator, 'locks', { value: undefined });
    window.BroadcastChannel = class { postMessage() {} };
  });
  await ulf.reload();
  await line(ulf).waitFor();
  const other = await visit(t, { hash: 't/', context: ulf.context() });
  await other.goto(link);
  await line(other).waitFor();
  // The one that has not kept what the other has signed looks on from then on.
  await ulf.getByText('You sit at this table in another tab').waitFor();
  await roll(other, 'd8');
  for (const page of [mara, ulf, other]) await shows(page, 1);
  for (const page of [mara, ulf, other]) assert.equal(await page.getByRole('alert').count(), 0);
  await agree(mara, ulf, other);
});

test('who leaves may come back as somebody new', async (t) => {
  const { mara, pages: [ulf] } = await table(t, ['Ulf']);
  await ulf.getByRole('button', { name: 'Leave', exact: true }).click();
  await ulf.getByText('Leave for good?').waitFor();
  await ulf.getByRole('button', { name: 'Leave', exact: true }).click();
  await ulf.getByRole('button', { name: 'Sit down anew' }).click();
  await ulf.getByLabel('Your name').fill('Urs');
  await ulf.getByRole('button', { name: 'Sit down' }).click();
  await roll(ulf, '2d8');
  await shows(mara, 1);
  await mara.getByText('Left: Ulf').waitFor();
  await agree(mara, ulf);
});

test('a game master turns the link over', async (t) => {
  const { mara, link } = await table(t);
  assert.equal(mara.url(), link);
  await mara.getByRole('button', { name: 'New link', exact: true }).click();
  await mara.getByText('Make a new link?').waitFor();
  await mara.getByRole('button', { name: 'New link', exact: true }).click();
  const renewed = await eventually(async () => {
    const now = await mara.locator('#invite').inputValue();
    assert.notEqual(now, link);
    return now;
  });
  const ulf = await visit(t, { hash: 't/' });
  await sitDown(ulf, renewed, 'Ulf');
  await mara.reload();
  await line(mara).waitFor();
  await agree(mara, ulf);
});

test('real dice, calls, words and a strike', async (t) => {
  const { mara, pages: [ulf] } = await table(t, ['Ulf']);
  await mara.getByRole('button', { name: 'Ask for' }).click();
  await line(mara).fill('d20 + 2');
  await mara.getByLabel('For what').fill('Initiative');
  await mara.getByRole('button', { name: 'Ask', exact: true }).click();
  await ulf.getByRole('button', { name: 'Roll Initiative' }).click();
  await mara.getByText('Everyone has rolled.').waitFor();
  await ulf.getByRole('button', { name: 'Real dice' }).click();
  await line(ulf).fill('3d6');
  await ulf.getByLabel('What the dice show').fill('6, 6, 5');
  await ulf.getByRole('button', { name: 'Enter', exact: true }).click();
  await mara.getByText('real dice, typed').waitFor();
  await ulf.getByRole('button', { name: 'Say', exact: true }).first().click();
  await ulf.getByLabel('What to say').fill('I look behind the curtain');
  await ulf.getByLabel('What to say').press('Enter');
  await mara.locator('.say').getByText('I look behind the curtain').waitFor();
  await cards(mara).last().getByRole('button', { name: 'Strike' }).click();
  await mara.getByRole('dialog').getByLabel('Why').fill('one lay on the floor');
  await mara.getByRole('button', { name: 'Strike it' }).click();
  await ulf.getByText('one lay on the floor').waitFor();
  await ulf.screenshot({ path: `${pictures}/table-all-kinds.png` });
  await mara.getByRole('button', { name: 'Close the table' }).click();
  await mara.getByRole('button', { name: 'Close it' }).click();
  await ulf.getByText('This table is closed.').waitFor();
  await agree(mara, ulf);
});

test('who watches has no seat and sees all', async (t) => {
  const { mara } = await table(t);
  await roll(mara, '3d6', 'all');
  await shows(mara, 1);
  await mara.getByRole('button', { name: 'Copy a link to watch only' }).click();
  const link = await mara.evaluate(() => navigator.clipboard.readText());
  const watcher = await visit(t, { hash: 't/' });
  await watcher.goto(link);
  await watcher.getByText('You are watching.').waitFor();
  await shows(watcher, 1);
  assert.deepEqual(await totals(watcher), await totals(mara));
  assert.equal(await line(watcher).count(), 0);
});

test('saved rolls and numbers are handed out, and a roll takes them', async (t) => {
  const { mara, pages: [ulf, ida] } = await table(t, ['Ulf'], ['Ida']);
  const saves = async (page, whose, fields) => {
    await page.getByRole('button', { name: /^Save(d| rolls)/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved rolls and numbers' });
    if (whose) await dialog.getByRole('combobox').selectOption({ label: whose });
    for (const [label, value, button] of fields) {
      if (label === 'as') await dialog.getByLabel(/^Save/).fill(value);
      else {
        await dialog.getByLabel('Number').fill(label);
        await dialog.getByLabel('is', { exact: true }).fill(value);
      }
      await dialog.getByRole('button', { name: button, exact: true }).click();
    }
    await page.screenshot({ path: `${pictures}/table-saved.png` });
    await dialog.getByRole('button', { name: 'Done' }).click();
  };
  await line(mara).fill('10 + perception');
  await saves(mara, 'everyone at the table', [['as', 'Perception', 'Save'], ['perception', '1', 'Set']]);
  await saves(mara, 'Ulf', [['perception', '5', 'Set']]);
  // Ulf has a number of his own, Ida has the table's.
  for (const [page, total, count] of [[ulf, '15', 1], [ida, '11', 2]]) {
    await eventually(async () => assert.equal(await page.getByRole('group', { name: 'Saved rolls' }).getByRole('button').count(), 2));
    await page.getByRole('button', { name: 'Perception', exact: true }).click();
    await shows(mara, count);
    assert.equal((await totals(mara)).at(-1), total);
  }
  // A call takes each one's own, too; and one's own roll is forgotten again.
  await mara.getByRole('button', { name: 'Ask for' }).click();
  await line(mara).fill('100 + perception');
  await mara.getByLabel('For what').fill('Spot');
  await mara.getByRole('button', { name: 'Ask', exact: true }).click();
  await ulf.getByRole('button', { name: 'Roll Spot' }).click();
  await eventually(async () => assert.equal((await totals(mara)).at(-1), '105'));
  await saves(ulf, null, [['as', 'Mine', 'Save']]);
  await ulf.getByRole('button', { name: 'Mine', exact: true }).waitFor();
  assert.equal(await ida.getByRole('button', { name: 'Mine', exact: true }).count(), 0);
  await ulf.getByRole('button', { name: 'Saved …' }).click();
  await ulf.getByRole('button', { name: 'Forget Mine' }).click();
  await eventually(async () => assert.equal(await ulf.getByRole('button', { name: 'Forget Mine' }).count(), 0));
  await ulf.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await agree(mara, ulf, ida);
  // The same for a spreadsheet.
  const { text } = await download(mara, 'CSV');
  assert.match(text, /,Ulf,roll,10 \+ perception,perception 5,,15,/);
});

test('a stream shows the newest roll, and nothing that is secret', async (t) => {
  const { mara } = await table(t);
  await roll(mara, '3d6', 'all');
  await shows(mara, 1);
  await mara.getByRole('button', { name: 'Copy a link for a stream' }).click();
  const link = await mara.evaluate(() => navigator.clipboard.readText());
  const stream = await visit(t, { hash: 't/' });
  await stream.goto(link);
  const total = stream.locator('.total');
  await eventually(async () => assert.equal(await total.innerText(), (await totals(mara))[0]));
  await stream.locator('.die').first().waitFor();
  await roll(mara, 'd20 + 1000', 'owner');
  await shows(mara, 2);
  await roll(mara, 'd4 + 200', 'all');
  await eventually(async () => assert.match(await total.innerText(), /^20\d$/));
  await stream.screenshot({ path: `${pictures}/table-stream.png`, omitBackground: true });
  assert.equal(await stream.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgba(0, 0, 0, 0)');
});

test('what a server refuses for good is told, and can be sent again', async (t) => {
  const { mara } = await table(t);
  const problem = { type: 'about:blank', title: 'No', status: 422, code: 'request', detail: 'this server will not have it', help: 'ask another' };
  mara.mayFail = /status of 422/;
  await mara.route('**/rolls', (route) => route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify(problem) }));
  await roll(mara, 'd6', 'all');
  const alert = mara.getByRole('alert');
  await alert.getByText('This server will not have it. Ask another.').waitFor();
  await alert.getByRole('button', { name: 'Sit down anew' }).waitFor();
  await mara.screenshot({ path: `${pictures}/table-refused.png` });
  await mara.unroute('**/rolls');
  await alert.getByRole('button', { name: 'Send it again' }).click();
  await shows(mara, 1);
  assert.equal(await alert.count(), 0);
  await agree(mara);
});

test('at an address without https the table is the same', async (t) => {
  const [own] = Object.values(networkInterfaces()).flat().filter(({ family, internal }) => family === 'IPv4' && !internal);
  if (!own) return t.skip('this machine has no address but its own');
  servers.set(t, tables(own.address));
  const { mara, pages: [ulf] } = await table(t, ['Ulf']);
  // Without a secure place a browser has no locks, no `crypto.subtle` and no service workers.
  assert.deepEqual(await ulf.evaluate(() => [isSecureContext, navigator.locks === undefined, crypto.subtle === undefined]), [false, true, true]);
  await roll(ulf, '2d6');
  for (const page of [mara, ulf]) await shows(page, 1);
  await ulf.reload();
  await line(ulf).waitFor();
  await roll(ulf, 'd8', 'owner');
  await shows(mara, 2);
  assert.equal((await totals(mara)).length, 2);
  await agree(mara, ulf);
});

test('a house that shows other dice is called a liar', async (t) => {
  const { link, mara, pages: [ulf] } = await table(t, ['Ulf']);
  await roll(ulf, '2d6');
  await shows(mara, 1);
  const told = await events(link, 'close');
  const body = told.replace(/"dice":\[\[6,(\d),(\d)\]\]/, (_, a, b) => `"dice":[[6,${(a % 6) + 1},${b}]]`);
  assert.notEqual(body, told);
  const guest = await visit(t, { hash: 't/' });
  await guest.route('**/events*', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
  await guest.goto(link);
  const alarm = guest.getByRole('alert');
  await alarm.waitFor();
  await guest.screenshot({ path: `${pictures}/table-alarm.png` });
  assert.match(await alarm.innerText(), /These are not the dice that fell/);
  assert.equal(await guest.getByRole('button', { name: 'Sit down' }).count(), 0);
});

test('two who compare read the same four words', async (t) => {
  const { mara, pages: [ulf] } = await table(t, ['Ulf']);
  const said = [];
  for (const page of [mara, ulf]) {
    await page.getByText('Do all see the same?').click();
    await page.getByLabel('Number of the line').fill('2');
    await page.getByLabel('The word that was said').fill('teapot');
    await page.getByRole('button', { name: 'Four words' }).click();
    const words = page.locator('.words');
    await eventually(async () => assert.match(await words.innerText(), /^(\w+ ){3}\w+$/));
    said.push(await words.innerText());
  }
  assert.equal(said[0], said[1]);
});

test('what cannot be rolled is told before it is rolled', async (t) => {
  const { mara } = await table(t);
  await line(mara).fill('4d6kx');
  await mara.locator('.problem').first().waitFor();
  assert.ok(await mara.getByRole('button', { name: 'Roll', exact: true }).last().isDisabled());
  await mara.screenshot({ path: `${pictures}/table-problem.png` });
});

/** On a screen so high that nothing is scrolled half under the head, where axe would not find it large enough. */
async function looked(page, name) {
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width, height: 1800 });
  await accessible(page, name);
  await fits(page, name);
  await page.setViewportSize({ width, height });
}
for (const [width, theme] of [[320, 'dark'], [390, 'light'], [768, 'dark'], [1440, 'light'], [1440, 'dark']]) {
  test(`a table at ${width} px in ${theme}`, async (t) => {
    const page = await visit(t, { hash: 't/', width, height: 800, theme, touch: width < 800 });
    const name = `table-${width}-${theme}`;
    await page.getByRole('button', { name: 'Make a table' }).waitFor();
    await page.screenshot({ path: `${pictures}/${name}-begin.png` });
    await accessible(page, `${name} at its beginning`);
    await page.getByLabel('Your name').fill('Mara');
    await page.getByRole('button', { name: 'Make a table' }).click();
    await line(page).waitFor();
    for (const text of ['2d6 + 3', '4d6kh3', 'cofd.action(5).outcome', '12d10 ! cs>=8']) {
      const count = await cards(page).count();
      await roll(page, text, text === '2d6 + 3' ? 'self' : 'all');
      await shows(page, count + 1);
    }
    await page.locator('.odds').getByText(/of rolls/).nth(2).waitFor();
    await page.screenshot({ path: `${pictures}/${name}.png` });
    await looked(page, name);
    if (width < 800) await pressable(page, name);
    await page.getByRole('button', { name: 'Dice', exact: true }).click();
    await page.screenshot({ path: `${pictures}/${name}-dice.png` });
    await page.getByRole('button', { name: 'Games', exact: true }).click();
    await page.getByRole('button', { name: 'Chronicles of Darkness' }).click();
    await page.screenshot({ path: `${pictures}/${name}-games.png` });
    await looked(page, `${name} with forms`);
    if (width > 900) return;
    await page.getByRole('button', { name: 'Games', exact: true }).click();
    for (const [button, what] of [[/here$/, 'people'], ['Checked', 'trust']]) {
      await page.getByRole('button', { name: button }).click();
      await page.screenshot({ path: `${pictures}/${name}-${what}.png` });
      await looked(page, `${name}, ${what}`);
    }
  });
}

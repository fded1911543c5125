// Sharing: all that is shown is in the link; a frame in another page; previews; the page as an app.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { answer, showsExactly } from './support/ask.mjs';
import { accessible } from './support/look.mjs';
import { e, stateOf, v1 } from './support/state.mjs';
import { odds } from './support/terminal.mjs';
import { eventually, visits } from './support/visit.mjs';

const { visit, shared } = visits();

async function dialog(page) {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const link = page.getByRole('textbox', { name: 'Link' });
  await link.waitFor();
  return link;
}
const hashOf = (link) => link.slice(link.indexOf('#'));

test('table, mark and chosen parts are in the link', async (t) => {
  const page = await visit(t, { hash: e('4d6kh3') });
  await page.getByRole('slider', { name: /^Chart/ }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await answer(page).innerText(), /Chance of at least 3/));
  const marked = await (await dialog(page)).inputValue();
  const other = await visit(t, { hash: hashOf(marked) });
  await eventually(async () => assert.match(await answer(other).innerText(), /Chance of at least 3/));
  await other.getByRole('button', { name: 'Table', exact: true }).click();
  const table = await (await dialog(other)).inputValue();
  const third = await visit(t, { hash: hashOf(table) });
  await third.getByRole('region', { name: /^Table/ }).waitFor();
});

test('parts, their map and results apart are in the link', async (t) => {
  const text = '{a: d6, b: d8, c: d6 > 3}';
  const page = await visit(t, { hash: v1({ text }) });
  await page.getByRole('checkbox', { name: 'Draw b' }).check();
  await page.getByRole('button', { name: 'Two parts' }).click();
  await page.getByLabel('Down').selectOption('c');
  const address = await (await dialog(page)).inputValue();
  assert.deepEqual(stateOf(address).look, { fields: ['a', 'b'], joint: 'map', pair: ['a', 'c'] });
  const other = await visit(t, { hash: hashOf(address) });
  await other.getByRole('region', { name: 'Map of a and c' }).waitFor();
  assert.equal(await other.locator('figure').count(), 2);
  const strange = { table: 'yes', marks: { x: 'y' }, fields: 7, joint: 'x', pair: ['a'], chosen: [-1], apart: 'no' };
  const third = await visit(t, { hash: v1({ text, look: strange }) });
  await third.getByRole('region', { name: 'Parts of the result' }).waitFor();
  assert.equal(await third.locator('figure').count(), 1);
});

test('one line of HTML shows the odds in another page', async (t) => {
  const page = await visit(t, { hash: e('d20 + 5 >= 15') });
  await answer(page).locator('figure').first().waitFor();
  await dialog(page);
  await page.getByRole('dialog').getByLabel('Colours').selectOption('dark');
  await page.getByLabel('Height').fill('400');
  const html = await page.getByRole('textbox', { name: 'HTML' }).inputValue();
  assert.match(html, /^<iframe src="[^"<>]+embed\.html\?theme=dark#e=d20%20%2B%205%20%3E%3D%2015" title="[^"]+" width="100%" height="400"/);
  const host = createServer((_, response) => response.setHeader('content-type', 'text/html').end(`<!doctype html><title>An article</title>${html}`));
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  t.after(() => host.close());
  const context = await shared.browser.newContext();
  t.after(() => context.close());
  const article = await context.newPage();
  await article.goto(`http://127.0.0.1:${host.address().port}/`);
  const frame = article.frameLocator('iframe');
  await eventually(async () => assert.match(await frame.locator('main').innerText(), /55\.00%\s*yes/));
  assert.equal(await frame.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor), 'rgb(21, 25, 30)');
  const whole = await frame.getByRole('link', { name: 'Open in Astragal' }).evaluate((link) => link.href);
  assert.equal(whole, `${shared.server.address}#e=d20%20%2B%205%20%3E%3D%2015`);
});

test('the page itself is shown in no frame', async (t) => {
  const refused = await fetch(shared.server.address);
  assert.match(refused.headers.get('content-security-policy'), /frame-ancestors 'none'/);
  const embedded = await fetch(`${shared.server.address}embed.html?theme=light`);
  assert.match(embedded.headers.get('content-security-policy'), /frame-ancestors \*/);
});

test('a frame has sliders, is accessible, and tells what is wrong', async (t) => {
  const page = await visit(t, { hash: `embed.html${v1({ text: 'param target = 15\nd20 >= target' })}` });
  await page.getByRole('slider', { name: 'target, slider' }).waitFor();
  await page.getByRole('button', { name: 'target: more' }).click();
  await eventually(async () => assert.match(await page.locator('main').innerText(), /25\.00%\s*yes/));
  await accessible(page, 'a frame');
  const wrong = await visit(t, { hash: `embed.html${e('4d6r1')}` });
  await wrong.getByRole('alert').getByText('r1 means different things', { exact: false }).waitFor();
  assert.doesNotMatch(await wrong.getByRole('alert').innerText(), /`/);
  const cut = await visit(t, { hash: 'embed.html#v1.garbage' });
  await cut.getByRole('alert').getByText('This link could not be read').waitFor();
});

test('a link with a preview says what is linked, and leads to the same program', async (t) => {
  const page = await visit(t, { hash: e('4d6kh3 + 1') });
  const link = await dialog(page);
  await page.getByLabel(/With a preview/).check();
  await eventually(async () => assert.match(await link.inputValue(), /\?e=4d6kh3%20%2B%201$/));
  const address = await link.inputValue();
  const html = await (await fetch(address)).text();
  const tag = (name) => html.match(new RegExp(`(?:property|name)="${name}" content="([^"]*)"`))?.[1];
  assert.equal(tag('og:title'), '4d6kh3 + 1 – Astragal');
  assert.match(tag('og:description'), /from 4 to 19, most likely 14/);
  const picture = await fetch(tag('og:image').replaceAll('&amp;', '&'));
  assert.equal(picture.headers.get('content-type'), 'image/png');
  const bytes = Buffer.from(await picture.arrayBuffer());
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630]);
  const other = await visit(t, { hash: address.slice(shared.server.address.length) });
  await showsExactly(other, odds('4d6kh3 + 1'));
  assert.equal(new URL(other.url()).search, '', 'from here on no server sees it');
  const general = await (await fetch(shared.server.address)).text();
  assert.match(general, /og:image" content="\.\/preview\.png"/);
});

test('the page can be installed', async (t) => {
  const page = await visit(t);
  const manifest = await page.evaluate(() => document.querySelector('link[rel=manifest]').href);
  const response = await fetch(manifest);
  assert.equal(response.headers.get('content-type'), 'application/manifest+json');
  const { icons, start_url: start, display } = await response.json();
  assert.deepEqual([start, display], ['./', 'standalone']);
  for (const icon of icons.filter(({ type }) => type === 'image/png')) {
    const bytes = Buffer.from(await (await fetch(new URL(icon.src, manifest))).arrayBuffer());
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    assert.equal(`${width}x${height}`, icon.sizes);
  }
  assert.ok(icons.some(({ purpose, sizes }) => purpose === 'maskable' && sizes === '512x512'));
  const stored = await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const cache = await caches.open((await caches.keys())[0]);
    return (await cache.keys()).map((request) => new URL(request.url).pathname);
  });
  assert.ok(stored.includes('/manifest.webmanifest') && stored.includes('/icon-192.png'), stored.join(' '));
});

// The packed package in Chromium: by a plain script, with elements, from another host, and built by Vite.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { host } from './support/host.mjs';
import { installed } from './support/installed.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What a careful page allows: its own scripts and their threads, and WebAssembly. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'";

const page = (body, script) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Dice</title>
<script type="module" src="${script}"></script></head><body><main><h1>Dice</h1>${body}</main></body></html>`;
const OWN = './node_modules/astragal/dist/elements/index.js';

let folder;
let server;
let browser;
before(async () => {
  folder = installed();
  writeFileSync(join(folder, 'plain.js'), `import { load } from './node_modules/astragal/dist/index.js';
const ag = await load();
const worker = await ag.worker();
const late = worker.odds('(repeat with n = 0, x = 0 next n = n + 1, x = (x * 7 + d6) % 1009 until n == 100000).x', { signal: AbortSignal.timeout(200), steps: 4e9 });
const aborted = await late.then(() => 'answered', ({ name }) => name);
window.answers = { here: ag.odds('4d6kh3').mean, there: (await worker.odds('4d6kh3')).mean, aborted };`);
  writeFileSync(join(folder, 'plain.html'), page('', './plain.js'));
  const elements = '<astragal-odds>4d6kh3</astragal-odds><astragal-roll seed="7">4d6kh3</astragal-roll>';
  writeFileSync(join(folder, 'elements.html'), page(elements, OWN));
  const more = `<astragal-odds>d20 + bonsu</astragal-odds><astragal-odds set="dc=12">d20 + 5 >= dc</astragal-odds>
<astragal-odds view="at-least">show "plain" = 2d6; show "keen" = 3d6kh2</astragal-odds><astragal-odds>&lt;img src=x onerror="window.hurt = 1"&gt;</astragal-odds>`;
  writeFileSync(join(folder, 'more.html'), page(more, OWN));
  server = await host(folder, { policy: POLICY });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** A page whose complaints are failures. */
async function open(address, options = {}) {
  const tab = await browser.newPage(options);
  tab.complaints = [];
  tab.on('pageerror', (error) => tab.complaints.push(String(error)));
  tab.on('console', (message) => message.type() === 'error' && !message.text().includes('favicon') && tab.complaints.push(message.text()));
  await tab.goto(address);
  return tab;
}

async function accessible(tab) {
  await tab.evaluate(axe);
  const { violations } = await tab.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
}

test('a plain script loads it, under a strict policy', async () => {
  const tab = await open(`${server.address}plain.html`);
  const answers = await (await tab.waitForFunction(() => window.answers, null, { timeout: 60_000 })).jsonValue();
  assert.deepEqual(answers, { here: '15869/1296', there: '15869/1296', aborted: 'TimeoutError' });
  assert.deepEqual(tab.complaints.filter((words) => !words.includes('404')), []);
  await tab.close();
});

test('<astragal-odds> draws a chart with the first part of the engine alone', async () => {
  server.sent.length = 0;
  const tab = await open(`${server.address}elements.html`);
  const chart = tab.locator('astragal-odds svg[role=img]');
  await chart.waitFor({ timeout: 60_000 });
  assert.equal(await chart.locator('g.fill path').count(), 16);
  assert.match(await chart.getAttribute('aria-label'), /12\.24/);
  assert.deepEqual(server.sent.filter((path) => path.endsWith('.wasm')).map((path) => path.split('/').at(-1)).sort(), ['astragal_first.wasm', 'astragal_pen.wasm']);
  // By keyboard: the next view.
  await tab.locator('astragal-odds input').first().focus();
  await tab.keyboard.press('ArrowRight');
  await tab.locator('astragal-odds[view=at_least]').waitFor();
  assert.match(await chart.locator('rect title').first().textContent(), /^3: 100/);
  assert.equal(await tab.evaluate(() => document.querySelector('astragal-odds').shadowRoot.activeElement.value), 'at_least');
  await accessible(tab);
  await tab.close();
});

test('<astragal-roll> rolls and explains, by keyboard too', async () => {
  const tab = await open(`${server.address}elements.html`);
  const button = tab.getByRole('button', { name: 'Roll 4d6kh3' });
  await button.focus();
  await tab.keyboard.press('Enter');
  await tab.locator('astragal-roll .lines').waitFor({ timeout: 60_000 });
  const value = await tab.locator('astragal-roll .value').textContent();
  assert.match(await tab.locator('astragal-roll .lines').textContent(), new RegExp(`= ${value}$`));
  assert.equal(await tab.locator('astragal-roll [role=status]').count(), 1);
  await accessible(tab);
  assert.deepEqual(tab.complaints.filter((words) => !words.includes('404')), []);
  await tab.close();
});

test('what is wrong is said, names and truths have bars, and nothing is taken for markup', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const tab = await open(`${server.address}more.html`, { colorScheme });
    await tab.locator('astragal-odds').nth(0).locator('[role=alert]').waitFor({ timeout: 60_000 });
    assert.match(await tab.locator('astragal-odds').nth(0).locator('[role=alert]').textContent(), /unknown name/);
    await tab.locator('astragal-odds').nth(1).locator('td.bar').first().waitFor();
    assert.equal(await tab.locator('astragal-odds').nth(1).locator('td.bar').count(), 2);
    await tab.locator('astragal-odds').nth(2).locator('svg').nth(1).waitFor();
    await tab.locator('astragal-odds').nth(3).locator('[role=alert]').waitFor();
    assert.equal(await tab.evaluate(() => window.hurt), undefined);
    await accessible(tab);
    await tab.close();
  }
});

test('one script tag from another host is enough', async () => {
  const network = await host(join(folder, 'node_modules/astragal'), { everybody: true });
  writeFileSync(join(folder, 'blog.html'), page('<astragal-odds>2d6</astragal-odds>', `${network.address}dist/elements/index.js`));
  const blog = await host(folder);
  const tab = await open(`${blog.address}blog.html`);
  await tab.locator('astragal-odds svg[role=img]').waitFor({ timeout: 60_000 });
  await tab.close();
  await Promise.all([network.stop(), blog.stop()]);
});

test('Vite builds it, and what it built works', async () => {
  writeFileSync(join(folder, 'index.html'), page('<astragal-odds>3d6</astragal-odds>', './main.js'));
  writeFileSync(join(folder, 'main.js'), `import { load } from 'astragal';
import 'astragal/elements';
const ag = await load();
const worker = await ag.worker();
window.answers = [ag.odds('4d6kh3').mean, (await worker.odds('2d6')).mean];`);
  const warned = [];
  const customLogger = { info() {}, warn: (words) => warned.push(words), warnOnce: (words) => warned.push(words), error: (words) => warned.push(words), clearScreen() {}, hasErrorLogged: () => false, hasWarned: false };
  await build({ root: folder, base: './', customLogger, build: { assetsInlineLimit: 0, target: 'es2022' }, worker: { format: 'es' } });
  assert.deepEqual(warned.filter((words) => !words.includes('PLUGIN_TIMINGS')), []);
  const built = await host(join(folder, 'dist'), { policy: POLICY });
  const tab = await open(built.address);
  const answers = await (await tab.waitForFunction(() => window.answers, null, { timeout: 60_000 })).jsonValue();
  assert.deepEqual(answers, ['15869/1296', '7']);
  await tab.locator('astragal-odds svg[role=img]').waitFor({ timeout: 60_000 });
  await tab.close();
  await built.stop();
});

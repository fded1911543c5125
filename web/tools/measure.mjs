// How fast the page is: `cargo xtask measure`, or `node tools/measure.mjs` after `cargo xtask web`. What is measured:
//
// - the bytes that travel until the first answer is seen, and how long that takes at once and on a slow line;
// - from a key to the odds that it asks for, of everyday programs;
// - the same for a thousand dice and for three hundred results, with the longest time that the page did not react.
//
// Times depend on the machine and on who else uses it: each is the median of several tries, and beside the time on the clock
// stands how long the processor worked for it, in all of the browser's processes. Sizes do not.

import { cpus, loadavg } from 'node:os';
import { chromium } from 'playwright-core';
import { host, SLOW } from './host.mjs';
import { processor } from './processor.mjs';

const TRIES = Number(process.env.TRIES ?? 5);
const EVERYDAY = ['4d6kh3', 'd20 + 5 >= 15', '2d20kh1 + 5', '3d6!', 'show "plain" = 2d6 + 4\nshow "great weapon" = 2d6ro<=2 + 4'];
const HUNDREDS = Array.from({ length: 300 }, (_, n) => `show "${n + 1} dice" = ${n + 1}d6`).join('\n');

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const line = (what, figure) => console.log(`${what.padEnd(52)}${figure}`);
const ms = (time) => `${Math.round(time)} ms`;
const worked = (work) => (work === null ? '' : `, ${ms(work)} of the processor`);

/** Notes when the first answer is drawn, as the page itself sees it. */
function watchFirstAnswer() {
  const seen = new MutationObserver(() => {
    if (!document.querySelector('.results figure, .results .answer')) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.firstAnswer = performance.now())));
  });
  seen.observe(document, { childList: true, subtree: true });
}

/** A first visit: nothing is stored. */
async function firstVisit(line, hash = '') {
  const server = await host(line);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(watchFirstAnswer);
  await page.goto(server.address + hash, { waitUntil: 'commit' });
  const seen = await page.waitForFunction(() => window.firstAnswer, null, { timeout: 60_000, polling: 20 });
  const time = await seen.jsonValue();
  const later = server.sent.findIndex(({ path }) => LATER.test(path));
  const first = server.sent.slice(0, later < 0 ? undefined : later).filter(({ path }) => !/icon|manifest/.test(path));
  const bytes = first.reduce((sum, file) => sum + file.bytes, 0);
  await context.close();
  await server.stop();
  return { time, bytes };
}
/** With these begins what is asked for when the first answer is there, and may be under way when it is seen. */
const LATER = /sw\.js|astragal_(often|last)|create-/;

async function visits(line, hash) {
  const all = [];
  for (let n = 0; n < TRIES; n++) all.push(await firstVisit(line, hash));
  return { time: median(all.map(({ time }) => time)), bytes: median(all.map(({ bytes }) => bytes)) };
}

/** From the moment at which a text is put in the editor to the frame that shows its odds, and the longest task between. */
async function typed(page, text) {
  await page.evaluate(() => {
    const region = document.querySelector('.results');
    const before = region.textContent;
    window.typed = null;
    window.blocked = 0;
    window.tasks?.disconnect();
    window.tasks = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.blocked = Math.max(window.blocked, duration);
    });
    window.tasks.observe({ type: 'longtask' });
    const changed = () => region.getAttribute('aria-busy') === 'false' && region.textContent !== before;
    const once = new AbortController();
    const begin = () => {
      once.abort();
      const since = performance.now();
      const look = () => {
        if (!changed()) return requestAnimationFrame(look);
        // This very frame shows it: it is painted when this is done.
        setTimeout(() => (window.typed = performance.now() - since));
      };
      requestAnimationFrame(look);
    };
    for (const event of ['beforeinput', 'paste']) {
      document.querySelector('.cm-content').addEventListener(event, begin, { signal: once.signal, capture: true });
    }
  });
  await page.locator('.cm-content').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.waitForTimeout(100);
  const before = processor();
  if (text.length < 100) await page.keyboard.insertText(text);
  else await page.evaluate(paste, text);
  const time = await (await page.waitForFunction(() => window.typed, null, { timeout: 120_000, polling: 20 })).jsonValue();
  const work = before === null ? null : processor() - before;
  await page.waitForTimeout(300);
  return { time, work, blocked: await page.evaluate(() => window.blocked) };
}

/** Long texts are pasted, as people do. */
function paste(text) {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  document.querySelector('.cm-content').dispatchEvent(event);
}

async function keys() {
  const server = await host();
  const page = await browser.newPage();
  await page.goto(server.address);
  await page.locator('.tok-dice').first().waitFor();
  const ask = async (text) => {
    const all = [];
    for (let n = 0; n < TRIES; n++) {
      await typed(page, `d${n + 3}`);
      all.push(await typed(page, text));
    }
    const middle = (what) => median(all.map((one) => one[what]));
    return { time: middle('time'), work: middle('work'), blocked: middle('blocked') };
  };
  const told = async (what, text) => {
    const { time, work, blocked } = await ask(text);
    line(`key to odds: ${what}`, ms(time) + worked(work));
    return blocked;
  };
  for (const text of EVERYDAY) await told(`${text.split('\n')[0]}${text.includes('\n') ? ' …' : ''}`, text);
  await told('1000d6', '1000d6');
  const blocked = await told('300 results, (1 to 300)d6', HUNDREDS);
  line('meanwhile, the longest that the page did not react', blocked ? ms(blocked) : 'under 50 ms');
  await page.close();
  await server.stop();
}

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}, ${await browser.version()}, median of ${TRIES}`);
const fast = await visits(null);
line('bytes until the first answer, by Brotli', `${(fast.bytes / 1000).toFixed(1)} kB`);
line('first answer, no delay', ms(fast.time));
line('first answer, 1.6 Mbit/s and 150 ms', ms((await visits(SLOW)).time));
line('first answer of `d20 + 6 >= 17`, the same line', ms((await visits(SLOW, '#e=d20%20%2B%206%20%3E%3D%2017')).time));
await keys();
await browser.close();

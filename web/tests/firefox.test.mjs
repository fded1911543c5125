// The page in another browser: all that depends on it, once. What only the page decides is tested in Chromium alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { firefox, firefoxPath } from './support/bidi.mjs';
import { GAMES } from './support/decide.mjs';
import { serve } from './support/server.mjs';
import { tables } from './support/table.mjs';
import { e, v1 } from './support/state.mjs';
import { odds } from './support/terminal.mjs';
import { eventually } from './support/visit.mjs';

const skip = firefoxPath ? false : 'no firefox: apt-get install firefox-esr';
const CONTROL = '\uE009';
let server;
let browser;

before(async () => {
  if (skip) return;
  server = await serve();
  browser = await firefox();
});
after(async () => {
  await browser?.stop();
  await server?.stop();
});

/** The page as somebody opens it from a link: not a step on the page that is open. */
async function open(hash, path = '') {
  await browser.open('about:blank');
  await browser.open(server.address + path + hash);
}
/** Presses the button of this name, when it is there. */
const press = (name) =>
  eventually(async () => {
    const pressed = await browser.evaluate(`(() => {
      const called = (one) => one.getAttribute('aria-label') ?? one.textContent.trim();
      const found = [...document.querySelectorAll('button, summary')].find((one) => called(one) === ${JSON.stringify(name)});
      found?.click();
      return found !== undefined;
    })()`);
    assert.ok(pressed, `a button ${name}`);
  }, PATIENCE);
const shows = (selector, words) =>
  eventually(async () => assert.match(await text(selector), words), PATIENCE);
const there = (selector) =>
  eventually(async () => assert.ok(await browser.evaluate(`document.querySelector(${JSON.stringify(selector)}) !== null`), selector), PATIENCE);

const text = (selector) => browser.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);
const PATIENCE = 60_000;

test('Firefox shows the first answer', { skip }, async () => {
  await browser.open(server.address);
  const { mean } = odds('4d6kh3');
  await eventually(async () => assert.match(await text('.results'), new RegExp(mean.slice(0, 5))), PATIENCE);
  assert.ok(await browser.evaluate(`document.querySelector('.results svg path') !== null`), 'a chart is drawn');
});

test('Firefox answers what is typed in the editor, also with what is loaded later', { skip }, async () => {
  await eventually(async () => assert.ok(await browser.evaluate(`document.querySelector('.cm-content') !== null`)), PATIENCE);
  await browser.evaluate(`document.querySelector('.cm-content').focus()`);
  await browser.press([CONTROL, 'a'], ...'d20 + 5 >= 15');
  await eventually(async () => assert.match(await text('.results'), /55\.00%/), PATIENCE);
  await eventually(async () => assert.ok(await browser.evaluate(`document.querySelector('.tok-dice') !== null`), 'colours'), PATIENCE);
});

test('Firefox rolls', { skip }, async () => {
  await browser.evaluate(`[...document.querySelectorAll('button')].find((one) => one.textContent.trim() === 'Roll it').click()`);
  await eventually(async () => assert.ok(await browser.evaluate(`document.querySelector('.die') !== null`), 'a die is drawn'), PATIENCE);
});

test('Firefox counts a thousand rolls over the exact bars', { skip }, async () => {
  await open(e('3d6'));
  await there('.results figure');
  await browser.evaluate(`(() => {
    const times = document.querySelector('select[aria-label="How often to roll"]') ?? [...document.querySelectorAll('select')].find((one) => [...one.options].some(({ value }) => value === '1000'));
    times.value = '1000';
    times.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
  await press('Roll it');
  await there('circle.dot');
});

test('Firefox writes what is tapped, and Back goes back to it', { skip }, async () => {
  await open(e('d8'));
  await there('.cm-content');
  await press('Add d8');
  await shows('.cm-content', /2d8/);
  await eventually(async () => assert.match(decodeURIComponent(await browser.evaluate('location.href')), /2d8/), PATIENCE);
  await browser.evaluate(`location.hash = 'e=3d4'`);
  await shows('.cm-content', /3d4/);
  await browser.evaluate('history.back()');
  await shows('.cm-content', /2d8/);
});

test('Firefox draws what if and solves it', { skip }, async () => {
  await open(v1({ text: 'param bonus = 5\nparam target = 15\nd20 + bonus >= target' }));
  await press('What if bonus varies');
  await there('.whatif svg path');
  await press('How much is enough?');
  await shows('.ask', /from 7 on gives/);
  await press('What if target varies');
  await there('.whatif table');
});

test('Firefox shows the parts of a record together', { skip }, async () => {
  const record = 'let die = d20\n{total: die + 7, hit: die >= 8}';
  await open(v1({ text: record, look: { joint: 'map', pair: ['total', 'hit'] } }));
  await there('[aria-label="Map of total and hit"]');
});

test('Firefox tells the best play, and a person decides', { skip }, async () => {
  await open(v1({ text: GAMES.reroll }));
  await there('[aria-label="Best play"] table');
  await press('I decide');
  await press('Roll it');
  await there('section.question button');
});

test('Firefox draws a PNG of the chart', { skip }, async () => {
  await open(e('4d6kh3'));
  await there('.results figure');
  await browser.evaluate(`(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { (window.made ??= []).push([blob.type, blob.size]); return make.call(URL, blob); };
  })()`);
  await press('PNG');
  await eventually(async () => {
    const made = JSON.parse(await browser.evaluate('JSON.stringify(window.made ?? [])'));
    assert.ok(made.some(([type, size]) => type === 'image/png' && size > 5000), JSON.stringify(made));
  }, PATIENCE);
});

test('Firefox shows a form, its odds and its dice', { skip }, async () => {
  await open('');
  await press('Play');
  await eventually(async () => {
    const found = await browser.evaluate(`(() => {
      const card = [...document.querySelectorAll('.cards button')].find((one) => one.textContent.includes('Chronicles'));
      card?.click();
      return card !== undefined;
    })()`);
    assert.ok(found, 'the card of a game');
  }, PATIENCE);
  await shows('.headline', /%/);
  await press('Roll');
  await there('.rolled .die');
});

test('Firefox sits at a table and rolls', { skip }, async () => {
  const house = await tables();
  try {
    await browser.open('about:blank');
    await browser.open(`${house.address}t/`);
    await there('input');
    await browser.evaluate(`document.querySelector('input').focus()`);
    await browser.press(...'Mara');
    await press('Make a table');
    await there('#invite');
    await there('textarea');
    await there('select[aria-label="Who sees it"]');
    await browser.evaluate(`(() => {
      const line = document.querySelector('textarea');
      line.value = '2d6 + 100';
      line.dispatchEvent(new Event('input', { bubbles: true }));
      const sight = document.querySelector('select[aria-label="Who sees it"]');
      sight.value = 'all';
      sight.dispatchEvent(new Event('change', { bubbles: true }));
      line.focus();
    })()`);
    await browser.press('\uE007');
    await shows('article .total', /^1\d\d$/);
    await shows('article', /by device and house/);
    // Who comes back sits where they sat.
    const link = await browser.evaluate('location.href');
    await browser.open('about:blank');
    await browser.open(link);
    await shows('article .total', /^1\d\d$/);
    await there('textarea');
    assert.equal(await browser.evaluate(`document.querySelectorAll('[role=alert]').length`), 0);
  } finally {
    await browser.open('about:blank');
    await house.stop();
  }
});

test('Firefox shows odds in a frame, and the book', { skip }, async () => {
  await open(e('4d6kh3'), 'embed.html?theme=dark');
  await there('figure svg path');
  await open('', 'book/first-steps.html');
  await shows('main', /4d6/);
});

// The page in another browser: it starts, answers, rolls and keeps to its content policy.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { firefox, firefoxPath } from './support/bidi.mjs';
import { serve } from './support/server.mjs';
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

// The engine in its parts, as a browser puts them together, here without one: what the first part answers alone, and that
// all of them answer like the terminal.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { first, often } from '../tools/everyday.mjs';
import { odds } from './support/terminal.mjs';

const part = (name) => new WebAssembly.Module(readFileSync(new URL(`../src/pkg/${name}.wasm`, import.meta.url)));
const PARTS = ['astragal_wasm_bg', 'astragal_often', 'astragal_last'].map(part);

let copies = 0;
/** A fresh engine of so many parts. */
async function engine(count) {
  const { initSync, answer } = await import(`../src/pkg/astragal_wasm.js?copy=${copies++}`);
  const exports = [initSync({ module: PARTS[0] })];
  for (const module of PARTS.slice(1, count)) {
    exports.push(new WebAssembly.Instance(module, { ...exports }).exports);
  }
  return (request) => JSON.parse(answer(JSON.stringify(request), () => {}));
}

test('the first part answers what people ask first', async () => {
  const ask = await engine(1);
  for (const request of first) assert.ok(ask(request).ok, request.text);
});

test('the first two answer what people ask often', async () => {
  const ask = await engine(2);
  for (const request of often) ask(request);
});

test('what needs a part that is not there traps, and nothing else happens', async () => {
  const ask = await engine(1);
  assert.throws(() => ask({ ask: 'odds', text: 'straight(5d6) >= 4' }), WebAssembly.RuntimeError);
});

test('all parts together answer like the terminal', async () => {
  const ask = await engine(3);
  for (const text of ['4d6kh3', '3d6', 'd20 + 5 >= 15', 'largest_set(8d10)', '13d{0: 36, 1..4: 4} drawn']) {
    const told = ask({ ask: 'odds', text });
    const rows = told.results[0].rows.map(({ label, exactly }) => [label.replace('yes', 'true').replace('no', 'false'), exactly.fraction]);
    const known = odds(text).outcomes.map(({ value, chance }) => [String(value), chance]);
    assert.deepEqual(rows.toSorted(), known.toSorted(), text);
  }
});

// One rule for the axes of the page and of exported pictures, and one palette. The other half of this test is in
// crates/show/src/svg/scale.rs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import ts from 'typescript';

const file = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const { outputText } = ts.transpileModule(file('../src/see/ticks.ts'), { compilerOptions: { module: 'esnext', target: 'es2022' } });
const { ticks, label } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

test('ticks are those of exported pictures', () => {
  for (const { low, high, most, labels } of JSON.parse(file('./support/ticks.json'))) {
    const { step, at } = ticks(low, high, most);
    assert.deepEqual(at.map((value) => label(value, step)), labels, `${low} to ${high}`);
  }
});

test('the series have the colours of exported pictures', () => {
  const css = file('../src/app.css');
  const palette = [...file('../../crates/show/src/svg/palette.rs').matchAll(/^ {4}\("(#\w{6})", "(#\w{6})"\),$/gm)];
  const ours = [...css.matchAll(/--s(\d+): light-dark\((#\w{6}), (#\w{6})\)/g)];
  assert.ok(palette.length >= 6 && ours.length >= 6);
  ours.slice(0, palette.length).forEach(([, number, light, dark], at) => {
    assert.equal(Number(number), at);
    assert.deepEqual([light, dark], palette[at].slice(1), `series ${at}`);
  });
});

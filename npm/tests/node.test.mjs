// The packed package in an empty folder, in Node, Deno and Bun; and the same answers as the command line, byte for byte.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { before, test } from 'node:test';
import { questions, refusals } from './fixtures/questions.mjs';
import { installed, printed, terminal, tool } from './support/installed.mjs';

let folder;
let answers;
before(() => {
  folder = installed('answers.mjs', 'questions.mjs');
  answers = JSON.parse(printed(process.execPath, ['answers.mjs'], { cwd: folder }));
});

test('Node: answers are those of the command line, byte for byte', () => {
  questions.forEach(([request, words], at) => assert.equal(answers.raw[at], terminal(words), JSON.stringify(request)));
});

test('Node: refusals are those of the command line too', () => {
  refusals.forEach(([request, words, code], at) => assert.equal(answers.refused[at], terminal(words, code), JSON.stringify(request)));
});

test('Node: every call is answered', () => {
  const { calls } = answers;
  assert.equal(calls.odds, '15869/1296');
  assert.equal(calls.at, '5/54');
  assert.deepEqual(calls.explain, ['4d6 keep highest 3: 3 6 (2) 5 = 14']);
  assert.equal(calls.random, 2 ** 52);
  assert.deepEqual(calls.check, [['unknown-name', { start: 6, end: 11 }]]);
  assert.deepEqual(calls.complete, ['action(']);
  assert.equal(calls.convert, '4d6dl1');
  assert.deepEqual(calls.sweep, ['3/10', '11/20']);
  assert.equal(calls.solve, 7);
  assert.equal(calls.picture, '<svg');
  assert.deepEqual(calls.sample, { length: 1000, least: 6, most: 25, kind: 'Float64Array' });
  assert.equal(calls.same, true);
  assert.equal(calls.prepared[0], '31/2');
  assert.deepEqual([calls.freed, calls.faces], ['Error', 14]);
  assert.deepEqual(calls.deep, ['too-deep', '7']);
});

test('Node: wrong programs are errors with a code and a place, in the units of JavaScript', () => {
  const { emoji, costly, seed, record } = answers.calls;
  assert.deepEqual(emoji, { error: 'AstragalError', is: true, code: 'unknown-name', overBudget: false, place: { start: 11, end: 16 } });
  assert.equal(costly.overBudget, true);
  assert.equal(seed.error, 'RangeError');
  assert.equal(record.code, 'usage');
});

test('Node: a worker answers the same, and an aborted question ends at once', () => {
  const { there, calls } = answers;
  assert.equal(there.odds, calls.odds);
  assert.equal(there.roll, calls.roll);
  assert.equal(there.aborted, 'TimeoutError');
  assert.equal(there.soon, true);
  assert.equal(there.after, '7');
  assert.deepEqual(there.refused, ['AstragalError', 'unknown-name']);
});

/** Each is answered or refused; nothing breaks off. */
function survived(told) {
  for (const { stack = [], answered, refused, ...broken } of [told.here, told.there]) {
    assert.deepEqual(broken, {});
    assert.equal(answered + refused + stack.length, 3 * told.programs);
    assert.ok(answered > 500 && refused > 200, `${answered} answered, ${refused} refused`);
  }
}

test('Node: what nests deeply is answered or refused', () => {
  const folder = installed('deep.mjs');
  survived(JSON.parse(printed(process.execPath, ['deep.mjs'], { cwd: folder, timeout: 600_000 })));
});

for (const [name, words] of [['deno', ['run', '--allow-read', '--node-modules-dir=manual', 'answers.mjs']], ['bun', ['run', 'answers.mjs']]]) {
  test(`${name}: the same answers`, { skip: !existsSync(tool(name)) && `${name} is not installed` }, () => {
    const theirs = JSON.parse(printed(tool(name), words, { cwd: folder, env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' } }));
    assert.deepEqual(theirs, answers);
  });
}

test('CommonJS can import it', () => {
  const script = "import('astragal').then(({ load }) => load()).then((ag) => console.log(ag.odds('d6').mean))";
  assert.equal(printed(process.execPath, ['-e', script], { cwd: folder }).trim(), '7/2');
});

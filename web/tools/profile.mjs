// Which functions of the engine are needed first, and which often: `node profile.mjs WATCHED.wasm FIRST OFTEN`. The module
// is the one that `astragal-glue watch` wrote, of the same build; so a profile is never out of date, and none is kept.
//
// What a request needs depends a little on those before it, if only because memory lies otherwise. So each is asked of a
// fresh engine, of one that was asked all before it, and of one that was asked all after it.

import { readFileSync, writeFileSync } from 'node:fs';
import { first, often, wrong } from './everyday.mjs';

const [file, ...lists] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(file));
const ran = new Set();
let functions = 0;

function checked(request, { ok, diagnostics }) {
  const expected = request.ask === 'odds' || request.ask === 'roll' ? !wrong.has(request.text) : undefined;
  if (ok !== expected) throw new Error(`${JSON.stringify(request)}\n${diagnostics?.[0]?.message ?? 'is right'}`);
}

/** Asks an engine all of these, and notes which functions ran. */
let engines = 0;
async function run(requests) {
  const { answer, initSync } = await import(`../src/pkg/astragal_wasm.js?engine=${engines++}`);
  const marks = initSync({ module });
  for (const request of requests) checked(request, JSON.parse(answer(JSON.stringify(request), () => {})));
  const names = Object.keys(marks).filter((name) => /^~\d+$/.test(name));
  functions = names.length;
  for (const name of names) if (marks[name].value === 1) ran.add(name.slice(1));
}

for (const [at, requests] of [first, often].entries()) {
  const earlier = at ? first : [];
  await run([...earlier, ...requests, ...requests]);
  await run(requests.toReversed());
  for (const request of requests) await run([request]);
  writeFileSync(lists[at], [...ran].join('\n'));
  console.log(`${ran.size} of ${functions} functions are needed ${at ? 'often' : 'first'}`);
}

// What the page weighs, as it is and as it travels. A ceiling in sizes.json (bytes by Brotli) that is passed is an
// error: the page is for phones on slow lines, and grows only by a decision.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { dist, files } from './files.mjs';

const parts = { '.wasm': 'wasm', '.js': 'script', '.css': 'styles' };
/** The pen is no part of the engine. */
const partOf = (file) => (/astragal_pen[^/]*\.wasm$/.test(file) ? 'pen' : parts[extname(file)]);
// Where the standard library was not built with the module, as rustup's is not, the module is about a tenth larger.
const room = process.env.READY_MADE_LIBRARY ? 1.1 : 1;
const stated = JSON.parse(readFileSync(new URL('../sizes.json', import.meta.url), 'utf8'));
const ceilings = Object.fromEntries(Object.entries(stated).map(([part, most]) => [part, Math.round(most * room)]));
const sizes = {};

/** The book is fetched when somebody reads it, and weighed by itself. */
const inBook = (file) => relative(dist, file).startsWith('book');
/** What only a table fetches, its device among it. */
const atTable = (file) => /^(table[-.]|seat\.|Games-|seat-)/.test(basename(file));
/** All that must be there for the first answer: the page, what it names, and the engine's thread. Who looks at previews is a
    machine. */
const page = readFileSync(join(dist, 'index.html'), 'utf8');
const isFirst = (name) => name !== 'preview.png' && (name === 'index.html' || page.includes(name) || /^worker-[^/]*\.js$/.test(name));

for (const file of files()) {
  const raw = statSync(file).size;
  const copy = (ending) => (existsSync(file + ending) ? statSync(file + ending).size : raw);
  const alone = inBook(file) ? 'book' : atTable(file) ? 'table' : null;
  for (const part of alone ? [alone] : [partOf(file), isFirst(basename(file)) && 'first', 'whole']) {
    if (!part) continue;
    const sum = (sizes[part] ??= { raw: 0, gz: 0, br: 0 });
    sum.raw += raw;
    sum.gz += copy('.gz');
    sum.br += copy('.br');
  }
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)}`.padStart(9);
console.log(`${''.padEnd(8)}${['kB', 'gzip', 'brotli', 'ceiling'].map((word) => word.padStart(9)).join('')}`);
for (const part of ['first', ...Object.values(parts), 'pen', 'whole', 'book', 'table']) {
  const { raw, gz, br } = sizes[part] ?? { raw: 0, gz: 0, br: 0 };
  console.log(part.padEnd(8) + [raw, gz, br, ceilings[part]].map(kilobytes).join(''));
  if (br <= ceilings[part]) continue;
  console.error(`error: ${part} weighs ${br} bytes by Brotli, the ceiling is ${ceilings[part]}`);
  console.error(`help: make it smaller, or raise "${part}" in web/sizes.json in a change that says why`);
  process.exitCode = 1;
}

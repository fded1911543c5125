// What the page weighs, as it is and as it travels. A ceiling in sizes.json (bytes by Brotli) that is passed is an
// error: the page is for phones on slow lines, and grows only by a decision.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { files } from './files.mjs';

const parts = { '.wasm': 'wasm', '.js': 'script', '.css': 'styles' };
const ceilings = JSON.parse(readFileSync(new URL('../sizes.json', import.meta.url), 'utf8'));
const sizes = {};

for (const file of files()) {
  const raw = statSync(file).size;
  const copy = (ending) => (existsSync(file + ending) ? statSync(file + ending).size : raw);
  for (const part of [parts[extname(file)], 'whole']) {
    if (!part) continue;
    const sum = (sizes[part] ??= { raw: 0, gz: 0, br: 0 });
    sum.raw += raw;
    sum.gz += copy('.gz');
    sum.br += copy('.br');
  }
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)}`.padStart(9);
console.log(`${''.padEnd(8)}${['kB', 'gzip', 'brotli', 'ceiling'].map((word) => word.padStart(9)).join('')}`);
for (const part of [...Object.values(parts), 'whole']) {
  const { raw, gz, br } = sizes[part] ?? { raw: 0, gz: 0, br: 0 };
  console.log(part.padEnd(8) + [raw, gz, br, ceilings[part]].map(kilobytes).join(''));
  if (br <= ceilings[part]) continue;
  console.error(`error: ${part} weighs ${br} bytes by Brotli, the ceiling is ${ceilings[part]}`);
  console.error(`help: make it smaller, or raise "${part}" in web/sizes.json in a change that says why`);
  process.exitCode = 1;
}

// Lays a .br and a .gz copy beside each file of the built page that gains by it. They are made once, at the highest
// setting, so that no server needs to compress anything while it answers.

import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { files } from './files.mjs';

const brotli = (data) => brotliCompressSync(data, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
  },
});

for (const file of files()) {
  const data = readFileSync(file);
  const copies = { br: brotli(data), gz: gzipSync(data, { level: constants.Z_BEST_COMPRESSION }) };
  for (const [ending, copy] of Object.entries(copies)) {
    if (copy.length < data.length * 0.9) writeFileSync(`${file}.${ending}`, copy);
  }
}

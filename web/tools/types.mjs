// The page's types, from the schema that the engine is held against: `node tools/types.mjs` writes them, `--check` complains if
// they are not those of the schema.

import { readFileSync, writeFileSync } from 'node:fs';
import { declared } from '../../npm/tools/schema.mjs';

const SCHEMA = new URL('../../docs/schema/page.json', import.meta.url);
const TYPES = new URL('../src/engine/said.ts', import.meta.url);
const { title, $defs } = JSON.parse(readFileSync(SCHEMA, 'utf8'));
const lines = Object.entries($defs).map(([name, schema]) => declared(name, schema));
const text = `// ${title}. Written by tools/types.mjs from docs/schema/page.json: change that instead.\n\n${lines.join('\n')}\n`;

if (!process.argv.includes('--check')) writeFileSync(TYPES, text);
else if (readFileSync(TYPES, 'utf8') !== text) {
  console.error('error: web/src/engine/said.ts is not what docs/schema/page.json says\nhelp: node tools/types.mjs');
  process.exitCode = 1;
}

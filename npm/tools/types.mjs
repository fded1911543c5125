// The package's types, from the schemas that the engine is held against: `node tools/types.mjs` writes them, `--check` complains
// if they are not those of the schemas.

import { readFileSync, writeFileSync } from 'node:fs';
import { declared } from './schema.mjs';

const schema = (name) => JSON.parse(readFileSync(new URL(`../../docs/schema/${name}.json`, import.meta.url), 'utf8'));
const said = (what) => `// ${what} Written by tools/types.mjs from docs/schema: change that instead.\n\n`;

function pageTypes() {
  const { title, $defs } = schema('page');
  return `${said(`${title}.`)}${Object.entries($defs).map(([name, one]) => declared(name, one)).join('\n')}\n`;
}

/** What each command's answer is called; its parts have its name before theirs. */
const SHAPES = { odds: 'Odds', roll: 'Roll', sweep: 'Sweep', solve: 'Solution', compare: 'Comparison', convert: 'Conversion', systems: 'Systems' };
const capital = (name) => name[0].toUpperCase() + name.slice(1);

function shapeTypes() {
  const parts = Object.entries(SHAPES).map(([file, name]) => {
    const whole = schema(file);
    const named = (part) => (name === 'Roll' && part === 'roll' ? 'Roll' : `${name}${capital(part)}`);
    const defs = Object.entries(whole.$defs ?? {}).map(([part, one]) => declared(named(part), one, named));
    // Of a roll only one roll is asked for here, never a list of them.
    const main = name === 'Roll' ? [] : [declared(name, { ...whole, $defs: undefined, $schema: undefined }, named)];
    return [`// ${whole.title}`, ...main, ...defs].join('\n');
  });
  return `${said('What the engine answers: the objects that the command line prints with `--json`.')}${parts.join('\n\n')}\n`;
}

for (const [file, text] of [['said', pageTypes()], ['shapes', shapeTypes()]]) {
  const path = new URL(`../src/${file}.ts`, import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`error: npm/src/${file}.ts is not what docs/schema says\nhelp: node tools/types.mjs`);
    process.exitCode = 1;
  }
}

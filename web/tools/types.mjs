// The page's types, from the schema that the engine is held against: `node tools/types.mjs` writes them, `--check` complains if
// they are not those of the schema. Only what docs/schema/page.json uses is understood.

import { readFileSync, writeFileSync } from 'node:fs';

const SCHEMA = new URL('../../docs/schema/page.json', import.meta.url);
const TYPES = new URL('../src/engine/said.ts', import.meta.url);
/** Longer objects have a line for each field. */
const WIDE = 90;
const PLAIN = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' };

function typed(schema) {
  if (schema.$ref) return schema.$ref.replace('#/$defs/', '');
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typed).join(' | ');
  if (schema.type === 'array') return arrayOf(typed(schema.items));
  if (schema.type === 'object') return objectOf(schema);
  const plain = PLAIN[schema.type];
  if (!plain) throw new Error(`not understood: ${JSON.stringify(schema)}`);
  return plain;
}

const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value));
const arrayOf = (type) => (/^\w+$/.test(type) ? `${type}[]` : `(${type})[]`);

function objectOf({ properties, required = [], additionalProperties }) {
  if (!properties) return `{ [name: string]: ${additionalProperties ? typed(additionalProperties) : 'unknown'} }`;
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typed(schema)}`,
  );
  const line = `{ ${fields.join('; ')} }`;
  const said = Object.values(properties).map(({ description }) => (description ? `  /** ${description} */\n` : ''));
  if (line.length <= WIDE && said.every((words) => !words)) return line;
  return `{\n${fields.map((field, at) => `${said[at]}  ${field};\n`).join('')}}`;
}

const { title, $defs } = JSON.parse(readFileSync(SCHEMA, 'utf8'));
const lines = Object.entries($defs).map(
  ([name, schema]) => `${schema.description ? `/** ${schema.description} */\n` : ''}export type ${name} = ${typed(schema)};`,
);
const text = `// ${title}. Written by tools/types.mjs from docs/schema/page.json: change that instead.\n\n${lines.join('\n')}\n`;

if (!process.argv.includes('--check')) writeFileSync(TYPES, text);
else if (readFileSync(TYPES, 'utf8') !== text) {
  console.error('error: web/src/engine/said.ts is not what docs/schema/page.json says\nhelp: node tools/types.mjs');
  process.exitCode = 1;
}

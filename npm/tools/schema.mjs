// From a JSON schema to TypeScript. Only what docs/schema uses is understood; anything else is an error, not a guess.

/** Longer objects have a line for each field. */
const WIDE = 90;
const PLAIN = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null', object: '{ [name: string]: unknown }' };
const WORDS = ['$schema', 'title', 'description', 'pattern', 'minimum', 'maximum', 'format', 'minItems', 'maxItems', 'minLength', 'enum', 'const',
  'type', 'items', 'properties', 'required', 'additionalProperties', 'oneOf', 'anyOf', 'allOf', '$ref', '$defs', 'prefixItems', 'uniqueItems'];

/** `named` gives the name of a definition. */
export function typeOf(schema, named = (name) => name) {
  const of = (inner) => typeOf(inner, named);
  const strange = Object.keys(schema).filter((word) => !WORDS.includes(word));
  if (strange.length) throw new Error(`not understood: ${strange.join(', ')} in ${JSON.stringify(schema).slice(0, 200)}`);
  if (schema.$ref) return named(schema.$ref.replace('#/$defs/', ''));
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const both = [];
  if (schema.properties || (schema.type === 'object' && !schema.oneOf && !schema.anyOf && !schema.allOf)) both.push(objectOf(schema, of));
  const choice = schema.oneOf ?? schema.anyOf;
  if (choice) both.push(`(${choice.map((inner) => of(inner)).join(' | ')})`);
  // Which fields a part of a choice must have is said by the choice itself.
  for (const inner of schema.allOf ?? []) both.push(Object.keys(inner).join() === 'required' ? requiredOf(inner) : of(inner));
  if (both.length) return both.length === 1 ? both[0].replace(/^\((.*)\)$/s, '$1') : both.join(' & ');
  if (schema.required) return requiredOf(schema);
  if (Array.isArray(schema.type)) return schema.type.map((type) => of({ ...schema, type })).join(' | ');
  if (schema.type === 'array') return arrayOf(schema.items ? of(schema.items) : 'unknown');
  if (!schema.type) return 'unknown';
  const plain = PLAIN[schema.type];
  if (!plain) throw new Error(`not understood: ${JSON.stringify(schema)}`);
  return plain;
}

const requiredOf = ({ required }) => `{ ${required.map((name) => `${quoted(name)}: unknown`).join('; ')} }`;
const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value));
const arrayOf = (type) => (/^\w+$/.test(type) ? `${type}[]` : `(${type})[]`);
const quoted = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

function objectOf({ properties, required = [], additionalProperties }, of) {
  if (!properties) return `{ [name: string]: ${additionalProperties ? of(additionalProperties) : 'unknown'} }`;
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${quoted(name)}${required.includes(name) ? '' : '?'}: ${of(schema)}`,
  );
  const line = `{ ${fields.join('; ')} }`;
  const said = Object.values(properties).map(({ description }) => (description ? `  /** ${description} */\n` : ''));
  if (line.length <= WIDE && said.every((words) => !words)) return line;
  return `{\n${fields.map((field, at) => `${said[at]}  ${field};\n`).join('')}}`;
}

/** A type with its name and its words. */
export const declared = (name, schema, named) =>
  `${schema.description ? `/** ${schema.description} */\n` : ''}export type ${name} = ${typeOf(schema, named)};`;

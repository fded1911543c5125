// The packages that the page is made of, one a line: name, version, licence, SHA-512, with | between them. They are those that
// web/src imports, and what these depend on; some of the latter are only used while the page is built.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('../web/', import.meta.url));
const lock = JSON.parse(readFileSync(`${web}package-lock.json`, 'utf8')).packages;

const sources = readdirSync(`${web}src`, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|js|mjs|svelte)$/.test(entry.name))
  .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'));

/** `@codemirror/view` of `@codemirror/view/dist/index.js`; nothing of a file of our own. */
const packageOf = (specifier) => specifier.match(/^(@[^/]+\/[^/]+|[a-z][^/:]*)/)?.[0];

const imported = sources.flatMap((text) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, specifier]) => packageOf(specifier)));

const found = new Map();
const open = [...new Set(imported)].filter((name) => lock[`node_modules/${name}`]);
for (let name = open.pop(); name; name = open.pop()) {
  const entry = lock[`node_modules/${name}`];
  // A link is a package of this repository: Astragal itself.
  if (!entry || entry.link || found.has(name)) continue;
  found.set(name, entry);
  open.push(...Object.keys(entry.dependencies ?? {}));
}

for (const [name, { version, license, integrity }] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const sha512 = integrity?.startsWith('sha512-') ? Buffer.from(integrity.slice(7), 'base64').toString('hex') : '';
  console.log([name, version, license ?? '', sha512].join('|'));
}

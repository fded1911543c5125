// What is in the package: the right files, the right types, and no more bytes than was decided.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { installed, printed, tarball, tool } from './support/installed.mjs';

let folder;
before(() => (folder = installed('usage.ts')));
const own = () => join(folder, 'node_modules/astragal');

test('it has what it needs, and nothing else', () => {
  const files = readdirSync(own(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ parentPath, name }) => join(parentPath, name).slice(own().length + 1)).sort();
  const top = names.filter((name) => !name.includes('/'));
  assert.deepEqual(top, ['API.md', 'CHANGELOG.md', 'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json']);
  const modules = ['astragal_first.wasm', 'astragal_last.wasm', 'astragal_often.wasm', 'astragal_pen.wasm', 'glue.d.ts', 'glue.js', 'pen.d.ts', 'pen.js'];
  assert.deepEqual(names.filter((name) => name.startsWith('wasm/')), modules.map((name) => `wasm/${name}`));
  assert.deepEqual(names.filter((name) => !/^(dist|wasm|example)\//.test(name) && name.includes('/')), []);
});

test('publint finds nothing', () => {
  assert.match(printed(tool('publint'), ['run', '--strict', own()]), /All good|passed/i);
});

test('attw finds the types', () => {
  // Node 10 knows no `exports`; from CommonJS it is imported, not required.
  printed(tool('attw'), [tarball(), '--profile', 'esm-only', '--exclude-entrypoints', './wasm/*', './package.json', '--no-color']);
});

test('types are what the examples expect', () => {
  const options = { module: 'nodenext', moduleResolution: 'nodenext', target: 'es2022', lib: ['es2024', 'dom'], strict: true, noEmit: true, types: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['usage.ts'] }));
  printed(tool('tsc'), ['-p', '.'], { cwd: folder });
});

test('every example of the documentation runs', () => {
  for (const file of ['README.md', 'API.md']) {
    const text = readFileSync(join(own(), file), 'utf8');
    const examples = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);
    assert.ok(examples.length, `${file} has no examples`);
    examples.forEach((code, at) => {
      const script = join(folder, `${file}-${at}.mjs`);
      const checked = code.replace(/^(.*?);?\s*\/\/ → (.*)$/gm, (_, call, result) => `same(${call.trim()}, ${JSON.stringify(result)});`);
      const head = "import assert from 'node:assert/strict';\nconst same = (value, said) => assert.equal(typeof value === 'string' ? value : JSON.stringify(value), said);\n";
      const start = code.includes("from 'astragal'") ? '' : "import { load } from 'astragal';\nconst ag = await load();\n";
      writeFileSync(script, head + start + checked);
      printed(process.execPath, [script], { cwd: folder });
    });
  }
});

test('it weighs what was decided', () => {
  const ceilings = JSON.parse(readFileSync(new URL('../sizes.json', import.meta.url), 'utf8'));
  const brotli = (data) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: data.length } }).length;
  const weight = (names) => names.reduce((sum, name) => sum + brotli(readFileSync(join(own(), name))), 0);
  const scripts = readdirSync(join(own(), 'dist'), { recursive: true }).filter((name) => name.endsWith('.js')).map((name) => `dist/${name}`);
  const weights = {
    first: weight(['wasm/astragal_first.wasm', 'wasm/glue.js', 'wasm/astragal_pen.wasm', 'wasm/pen.js', ...scripts]),
    engine: weight(['wasm/astragal_first.wasm', 'wasm/astragal_often.wasm', 'wasm/astragal_last.wasm']),
  };
  console.log(`by Brotli: ${JSON.stringify(weights)}, ceilings ${JSON.stringify(ceilings)}`);
  for (const [what, most] of Object.entries(ceilings)) assert.ok(weights[what] <= most, `${what} weighs ${weights[what]}, the ceiling is ${most}`);
});

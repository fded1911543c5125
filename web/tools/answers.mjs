// The answers to the first program and to the examples, computed while the page is built, by the very module that the page
// will run. They are shown until the engine is there, and the engine says the same again.

import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const web = new URL('../', import.meta.url);
const text = (path) => readFileSync(new URL(path, web), 'utf8');

/** The question that the page asks, see src/ask/odds.svelte.ts. */
const USUAL_STEPS = 400_000_000;
/** An answer that is longer is not worth its way: it takes longer to load than most take to compute. */
const LONGEST = 40_000;

/** The examples, from their file: what it takes in as text is put in its place first. */
export async function examples() {
  const source = text('src/ask/examples.ts').replaceAll(/^import (\w+) from '(.+)\?raw';$/gm, (_, name, path) =>
    `const ${name} = ${JSON.stringify(readFileSync(new URL(path, new URL('src/ask/', web)), 'utf8'))};`);
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } });
  return import(`data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`);
}

/** The engine, as the page has it, but in one piece. */
export async function engine() {
  const glue = await import(pathToFileURL(fileURLToPath(new URL('src/pkg/astragal_wasm.js', web))).href);
  glue.initSync({ module: readFileSync(new URL('src/pkg/astragal_whole.wasm', web)) });
  return (program) => glue.answer(JSON.stringify({ ask: 'odds', steps: USUAL_STEPS, text: program, files: {}, inputs: {} }));
}

export async function answersOf() {
  const { FIRST, SHELVES } = await examples();
  const odds = await engine();
  const others = [...new Set(SHELVES.flatMap((shelf) => shelf.examples.map((example) => example.text)))];
  const answered = others.filter((program) => program !== FIRST).map((program) => [program, odds(program)]);
  return { first: [[FIRST, odds(FIRST)]], examples: answered.filter(([, answer]) => answer.length <= LONGEST) };
}

/** `virtual:answers/first` comes with the page, `virtual:answers/examples` when it is asked for. */
export function answers() {
  const PREFIX = 'virtual:answers/';
  let known;
  return {
    name: 'astragal:answers',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      known ??= answersOf();
      const pairs = (await known)[id.slice(PREFIX.length + 1)];
      const read = pairs.map(([program, answer]) => [program, JSON.parse(answer)]);
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(read))});`;
    },
  };
}

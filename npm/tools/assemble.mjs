// Lays the engine into the package: `node tools/assemble.mjs FOLDER`, FOLDER being where `astragal-glue` has put the script, the
// types and the parts.
//
// The script of wasm-bindgen holds one engine for as long as it is loaded. Here it becomes a function that makes one, so that an
// engine which broke off can be left for a fresh one, and nobody's engine is anybody else's. So does that of the pen.

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const to = (name) => new URL(`../wasm/${name}`, import.meta.url);

function replaced(text, what, by) {
  if (!text.match(what)) throw new Error(`the script of wasm-bindgen has changed: it has no ${what}`);
  return text.replace(what, by);
}

/** The script of a module as one function of this name, which gives what the module offers. */
function scriptOf(module, name, offers) {
  let script = readFileSync(join(folder, `${module}.js`), 'utf8');
  script = replaced(script, /^export (function|class) /gm, '$1 ');
  script = replaced(script, /^export \{[^}]*\};?$/m, '');
  // How it would find and load the module by itself; whoever starts it here has the module.
  script = replaced(script, /^async function __wbg_load\([\s\S]*?^\}\n/m, '');
  script = replaced(script, /^async function __wbg_init_once\([\s\S]*?^\}\n/m, '');
  script = replaced(script, /^async function __wbg_init\([\s\S]*?^\}\n/m, '');
  script = script.replace(/^\/\* @ts-self-types=.*\*\/$/m, '');
  if (/^\s*(import|export)\b|import\.meta/m.test(script)) throw new Error('the script of wasm-bindgen has changed: something is still imported or exported');
  const head = `// Made from the script of wasm-bindgen by tools/assemble.mjs.\n\nexport function ${name}() {\n`;
  writeFileSync(to(`${name}.js`), `${head}${script.trim()}\nreturn { ${['initSync', ...offers].join(', ')} };\n}\n`);
}

scriptOf('astragal_wasm', 'glue', ['answer', 'Program']);
scriptOf('astragal_pen', 'pen', ['odds', 'lines', 'swatch', 'likely', 'heated', 'style', 'tones']);

const PARTS = { astragal_pen_bg: 'astragal_pen', astragal_wasm_bg: 'astragal_first', astragal_often: 'astragal_often', astragal_last: 'astragal_last' };
for (const [from, name] of Object.entries(PARTS)) copyFileSync(join(folder, `${from}.wasm`), to(`${name}.wasm`));

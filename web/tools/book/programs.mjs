// Which blocks of the book are programs, and the address that opens each of them in the editor.

import { deflateRawSync } from 'node:zlib';

/** The address of a state, from the page's folder on, as `src/address` reads it. */
export function address({ text, ...more }) {
  if (Object.keys(more).length === 0) return `#e=${encodeURIComponent(text)}`;
  return `#v1.${deflateRawSync(JSON.stringify({ v: 1, at: 'ask', text, ...more })).toString('base64url')}`;
}

/** A program with the files of its chapter that it names by `use "poker.dice"`. */
export function withFiles(text, files) {
  const names = [...text.matchAll(/\buse "([^"]+)"/g)].map(([, name]) => name).filter((name) => name in files);
  return names.length ? { text, files: Object.fromEntries(names.map((name) => [name, files[name]])) } : { text };
}

/** The program that a command of the terminal is about, as a state of the page; null if it is about more than a program.
 *  `compare` is several results, `sweep` and `solve` vary their inputs. */
export function inCommand(line) {
  const [, verb, command] = line.match(/^\$ astragal (odds|roll|compare|sweep|solve) (.+)$/) ?? [];
  if (!command) return null;
  const { texts, inputs } = words(command) ?? { texts: [] };
  if (texts.length === 0 || (texts.length > 1 && verb !== 'compare')) return null;
  if (verb === 'compare') return { text: texts.map((text) => `show "${text}" = ${text}`).join('\n') };
  if (verb === 'odds' || verb === 'roll') return inputs.length ? null : { text: texts[0] };
  const first = (values) => values.split(/[.,]/)[0];
  const params = inputs.map(([name, values]) => `param ${name} = ${first(values)}`);
  return { text: [...params, texts[0]].join('\n'), whatif: { over: inputs.map(([name]) => name).slice(0, 2) } };
}

/** The expressions and the inputs of a command; null if it has options that the page has not. */
function words(command) {
  const options = { '--faces': 2, '--seed': 2, '--from': 2, '--view': 2, '--chance': 2, '--mean': 2, '--correlations': 1 };
  const found = { texts: [], inputs: [] };
  const all = command.match(/'[^']*'|\S+/g) ?? [];
  for (let at = 0; at < all.length; ) {
    const word = all[at];
    const input = word.match(/^([a-z_]\w*)=([^=].*)$/);
    if (word in options) at += options[word];
    else if (word.startsWith('-')) return null;
    else {
      if (input) found.inputs.push([input[1], input[2]]);
      else found.texts.push(word.replaceAll("'", ''));
      at += 1;
    }
  }
  return found;
}

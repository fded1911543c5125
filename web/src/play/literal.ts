// Reads the values that examples and defaults are written with: 5, "morale", true, [2, 2], {skill: 8}. Anything else,
// such as 2d6 + 3, is kept as it stands.

import type { Value } from './values';

/** The arguments of `srd.check(5, 15, natural_1: true)` by the names of the parameters. */
export function argumentsOf(call: string, names: string[]): Record<string, Value> {
  const inside = /^[\w.]+\((.*)\)[\w.]*$/s.exec(call.trim())?.[1];
  const found: Record<string, Value> = {};
  parts(inside ?? '').forEach((part, place) => {
    const named = /^([a-z]\w*)\s*:\s*(.*)$/is.exec(part);
    const name = named?.[1] ?? names[place];
    if (name) found[name] = literal(named?.[2] ?? part);
  });
  return found;
}

export function literal(written: string): Value {
  const text = written.trim();
  if (text === 'true' || text === 'false') return text === 'true';
  if (isWrapped(text, '"', '"')) return text.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  if (isWrapped(text, '[', ']')) return parts(text.slice(1, -1)).map(literal);
  if (isWrapped(text, '{', '}') && /^\{\s*(\w+\s*:|\})/.test(text)) return argumentsOf(`_(${text.slice(1, -1)})`, []);
  return text;
}

const isWrapped = (text: string, open: string, close: string) =>
  text.length >= 2 && text.startsWith(open) && text.endsWith(close) && parts(text).length === 1;

/** Splits at the commas that stand outside of brackets and texts. */
function parts(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let quoted = false;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (quoted && letter === '\\') at++;
    else if (letter === '"') quoted = !quoted;
    else if (!quoted && '([{'.includes(letter)) depth++;
    else if (!quoted && ')]}'.includes(letter)) depth--;
    else if (!quoted && depth === 0 && letter === ',') {
      found.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  const last = text.slice(start).trim();
  return last === '' ? found : [...found, last];
}

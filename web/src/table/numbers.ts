// Named numbers: `d20 + perception` at a table where a character has a perception. Nothing of that is known to the house: a device
// writes the numbers that a program names into its request, so that the roll says everything by itself.

import { ask } from '../engine/client';
import type { Inputs } from './events';
import type { View } from './sitting.svelte';

/** What a seat's numbers are: its own, and those of the table. */
export function numbersOf({ numbers }: Pick<View, 'numbers'>, seat: number | null): Inputs {
  const own = numbers.filter(({ whose }) => whose === seat && whose !== null);
  const table = numbers.filter(({ whose, name }) => whose === null && !own.some((one) => one.name === name));
  return [...own, ...table].map(({ name, value }) => [name, value]);
}

/** A program as the engine takes it: house rules before it, and the inputs that it only names declared. */
export const withRules = (text: string, rules: string | null, declared: Inputs = []) =>
  `${rules ? `${rules}\n` : ''}${declared.map(([name, value]) => `param ${name} = ${value}\n`).join('')}${text}`;

/** The numbers that a program names, unless they are given; and those of them that it does not declare itself. */
export type Named = { inputs: Inputs; declared: Inputs };
const NONE: Named = { inputs: [], declared: [] };

export async function namedNumbers(text: string, given: Inputs, view: Pick<View, 'numbers' | 'rules'>, seat: number | null): Promise<Named> {
  const numbers = numbersOf(view, seat).filter(([name]) => !given.some(([other]) => other === name) && mentions(text, name));
  if (numbers.length === 0) return NONE;
  const asked = async (declared: Inputs) =>
    ask({ ask: 'odds', steps: 1, text: withRules(text, view.rules, declared) }, { lane: 'whatif' }).catch(() => null);
  const first = await asked([]);
  if (!first) return NONE;
  const unknown = (name: string) => !first.ok && first.diagnostics.some(({ code, message }) => code === 'unknown-name' && message.includes(`\`${name}\``));
  const declared = numbers.filter(([name]) => unknown(name));
  const then = declared.length > 0 ? await asked(declared) : first;
  const known = new Set(then?.inputs.map(({ name }) => name));
  return { inputs: numbers.filter(([name]) => known.has(name)), declared };
}

/** Whether the name stands in a text as a word of its own. */
const mentions = (text: string, name: string) => text.split(/[^\p{L}\p{N}_]+/u).includes(name);

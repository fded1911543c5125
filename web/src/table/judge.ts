// What the device leaves to the engine: whether the dice of a key, thrown by the program, are those of the line, and come to its
// outcome. It is asked in a thread of its own; nobody waits for the answer.

import { ask } from '../engine/client';
import type { Trouble } from './device';
import type { Limits, Shown } from './events';

/** By which rules a table rolls. */
export type Rules = { limits: Limits; library: string };
/** It fits; it does not; or this engine cannot say, for its systems are not those of the house. */
export type Verdict = 'fits' | 'unsure' | Trouble;

export async function judge(line: number, { pool, key, rules, dice, outcome }: Shown, table: Rules): Promise<Verdict> {
  if (!pool || !key || !dice || !outcome) return 'unsure';
  const { throws, steps } = table.limits;
  const [names, values] = [0, 1].map((at) => pool.inputs.map((pair) => pair[at]!)) as [string[], string[]];
  const asked = { ask: 'thrown' as const, text: pool.text, names, values, rules: rules ?? null, key, throws, steps };
  const told = await ask(asked, { lane: 'roll' }).catch(() => null);
  if (!told?.dice) return 'unsure';
  const wrong = (['dice', 'outcome'] as const).find((what) => JSON.stringify(told[what]) !== JSON.stringify({ dice, outcome }[what]));
  if (!wrong) return 'fits';
  if (told.library !== table.library) return 'unsure';
  const [expected, found] = [told[wrong], { dice, outcome }[wrong]].map((one) => JSON.stringify(one).slice(0, 200)) as [string, string];
  return { code: 'wrong', in: wrong, message: `line ${line}: the program throws something else with this key`, expected, found };
}

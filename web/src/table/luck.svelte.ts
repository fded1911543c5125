// The luck of the evening, of what this viewer has seen: asked of the engine while somebody looks, and again a moment after the next roll.

import { ask } from '../engine/client';
import type { LuckAnswer, LuckTally } from '../engine/types';
import type { Rules } from './judge';
import type { Entry, RollEntry } from './story';

const PAUSE = 400;

export type Luck = { seats: LuckTally[]; all: LuckTally; left: string; meaning: string };

const isRoll = (entry: Entry): entry is RollEntry => entry.kind === 'roll' && entry.line !== null;

/** Why a roll does not count, as far as the page knows; null: the engine says. */
function outside({ struck, typed, fell, key, made }: RollEntry): string | null {
  if (struck) return 'struck';
  if (typed !== null) return 'typed from real dice';
  if (!fell) return made === 'silent' || made === 'vetoed' || made === 'unsealed' ? 'without a result' : 'still hidden';
  return key && fell.outcome[0] === 'value' ? null : 'without a result';
}

export async function luckOf(entries: Entry[], { limits }: Rules, signal: AbortSignal): Promise<Luck> {
  const all = entries.filter(isRoll);
  const rolls = all.filter((roll) => outside(roll) === null && roll.asked).map(({ line, seat, asked, rules, key, fell }) => ({
    line: line!, seat, text: asked!.text, names: asked!.inputs.map(([name]) => name), values: asked!.inputs.map(([, value]) => value),
    rules, key: key!, value: fell!.outcome[1],
  }));
  const told: LuckAnswer = await ask({ ask: 'luck', rolls, throws: limits.throws, steps: limits.steps }, { lane: 'odds', signal });
  const reasons = [...all.map(outside).filter((why) => why !== null), ...told.others.map(({ words }) => words)];
  const left = [...new Set(reasons)].map((why) => `${reasons.filter((one) => one === why).length} ${why}`);
  return { seats: told.seats, all: told.all, left: left.join(', '), meaning: told.meaning };
}

/** What is shown while somebody looks. */
export class Looking {
  luck = $state.raw<Luck | null>(null);
  failed = $state(false);
  #running: AbortController | undefined;

  want(entries: Entry[], table: Rules) {
    this.rest();
    const { signal } = (this.#running = new AbortController());
    setTimeout(() => signal.aborted || luckOf(entries, table, signal).then(
      (luck) => { if (!signal.aborted) [this.luck, this.failed] = [luck, false]; },
      () => { if (!signal.aborted) this.failed = true; },
    ), this.luck ? PAUSE : 0);
  }
  rest() {
    this.#running?.abort();
  }
}

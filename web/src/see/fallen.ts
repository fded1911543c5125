// What came up, to be seen in the odds: the outcome of one roll, or how often each outcome came up in many. A roll has
// one value for each result of the odds of the same program, in the same order.

import type { Result, Source } from '../engine/types';
import type { RollsAnswer } from '../engine/types';

export type Many = RollsAnswer & { ok: true };
export type Fallen = { source: Source; one?: string[] | undefined; many?: Many | undefined };

/** What came up of one result. */
export type Fell = { label: string | null; counts: Map<string, number> | null; count: number; mean: number | null };
export type FellOf = (result: Result) => Fell;

const NOTHING: Fell = { label: null, counts: null, count: 0, mean: null };
export const nothingFell: FellOf = () => NOTHING;

/** Whether two questions are the same one. */
export function isSame(a: Source, b: Source): boolean {
  const whole = ({ text, files = {}, inputs = {} }: Source) => JSON.stringify([text, sorted(files), sorted(inputs)]);
  return a === b || whole(a) === whole(b);
}
const sorted = (texts: Record<string, string>) => Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1));

/** What came up, by result; nothing if it was another program's roll. */
export function fell(results: Result[], source: Source, fallen: Fallen | null | undefined): FellOf {
  if (!fallen || !isSame(fallen.source, source)) return nothingFell;
  const { one, many } = fallen;
  const known = new Map<Result | string, Fell>();
  results.forEach((result, at) => {
    const part = many?.results[at];
    const came = {
      label: one?.[at] ?? null,
      counts: part ? new Map(part.counts.map(({ label, times }) => [label, times])) : null,
      count: many?.count ?? 0,
      mean: part?.mean ?? null,
    };
    known.set(result, came).set(nameOf(result), came);
  });
  // A result may have been asked for once more since, with all of its rows.
  return (result) => known.get(result) ?? known.get(nameOf(result)) ?? NOTHING;
}
const nameOf = ({ name, field }: Result) => `${name ?? ''} ${field ?? ''}`;

/** The share of rolls with this outcome, or with it and all beyond it. */
export function share(rolled: Fell, labels: string[], at: number, view: 'exactly' | 'at_least' | 'at_most'): number {
  const times = (label: string) => rolled.counts?.get(label) ?? 0;
  const range = view === 'exactly' ? [at, at + 1] : view === 'at_least' ? [at, labels.length] : [0, at + 1];
  const sum = labels.slice(...range).reduce((all, label) => all + times(label), 0);
  return rolled.count ? sum / rolled.count : 0;
}

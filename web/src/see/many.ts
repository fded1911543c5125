// More results than fit into one chart: an old program may have a thousand of them. A few are drawn, by choice; all are
// listed by page, and found by name.

import type { Result } from '../engine/types';
import { nameOf } from './cards';

/** So many results share a chart. */
export const MOST_TOGETHER = 12;
/** Of more, these are drawn at first. */
export const FIRST_DRAWN = [0, 1, 2];
/** So many are listed at once. */
export const PAGE = 50;

/** The results that are drawn; the chosen ones are told by their places. */
export function drawn(results: Result[], chosen: number[]): Result[] {
  if (results.length <= MOST_TOGETHER) return results;
  const there = chosen.filter((at) => at < results.length);
  return (there.length ? there : FIRST_DRAWN).map((at) => results[at]!);
}

/** The places of the results whose names hold all words of a text. */
export function found(results: Result[], text: string): number[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...results.keys()].filter((at) => {
    const name = nameOf(results[at]!).toLowerCase();
    return words.every((word) => name.includes(word));
  });
}

/** The choice with one more, or one less, in the order of the results. */
export function toggled(chosen: number[], at: number): number[] {
  return chosen.includes(at) ? chosen.filter((other) => other !== at) : [...chosen, at].sort((a, b) => a - b);
}

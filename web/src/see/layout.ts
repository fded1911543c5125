// What is put upon a drawing by the page itself: where a chance is, and where the bar of a result.

import type { Drawing } from 'astragal/pieces';

/** From the top to a chance between 0 and 1. */
export const heightOf = ({ foot, unit }: Drawing, chance: number) => foot - 100 * chance * unit;

/** How far the middle of a result's bar is from the middle of its outcome. */
export const shiftOf = ({ bar }: Drawing, series: number, count: number) => (series + 0.5) * bar - (bar * count) / 2;

/** The outcome that is nearest to a place. */
export function nearest({ middles }: Drawing, px: number): number {
  let [low, high] = [0, middles.length - 1];
  while (high - low > 1) {
    const half = (low + high) >> 1;
    if (middles[half]! <= px) low = half;
    else high = half;
  }
  return px - middles[low]! <= middles[high]! - px ? low : high;
}

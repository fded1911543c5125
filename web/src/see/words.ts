// How chances are said.

import type { Chance, View } from '../engine/types';

export const VIEW_WORDS: Record<View, string> = { exactly: 'Exactly', at_least: 'At least', at_most: 'At most' };

/** "13.27%, 43/324, 1 in 7.53" */
export function spoken(chance: Chance): string {
  return [chance.percent, short(chance.fraction), oneIn(chance)].filter(Boolean).join(', ');
}

export function oneIn({ one_in, value }: Chance): string {
  if (one_in === 'never') return 'never';
  return value === 1 ? 'always' : `1 in ${one_in}`;
}

/** The subject of a chance: "13" or "at least 13". */
export function subject(label: string, view: View): string {
  return view === 'exactly' ? label : `${VIEW_WORDS[view].toLowerCase()} ${label}`;
}

/** Fractions beyond a line's length are left to the table. */
export function short(fraction: string): string {
  return fraction.length <= 24 && fraction !== '0' && fraction !== '1' ? fraction : '';
}

/** A small share as a percentage with two digits that count: 0.0002%. */
export function small(share: number): string {
  if (share === 0) return '0%';
  const percent = share * 100;
  const digits = Math.min(20, Math.max(0, 1 - Math.floor(Math.log10(percent))));
  return percent < 1e-12
    ? 'less than 0.000000000001%'
    : `${Number(percent.toFixed(digits)).toFixed(digits).replace(/0$/, '')}%`;
}

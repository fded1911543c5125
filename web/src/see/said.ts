// Numbers as people say them, for those who hear the page: "13.27%, 43 in 324, once in 7.53 rolls".

import type { Chance, Quantity, Result } from '../engine/types';
import { short } from './words';

export function saidChance(chance: Chance): string {
  const fraction = short(chance.fraction);
  const often = chance.one_in === 'never' ? 'never' : chance.value === 1 ? 'always' : `1 in ${chance.one_in}`;
  return [chance.percent, fraction.replace('/', ' in '), often].filter(Boolean).join(', ');
}

/** "12.2446, exactly 15869 over 1296" */
export function saidQuantity({ text, exact }: Quantity): string {
  return readable(exact) ? `${text}, exactly ${exact.replace('/', ' over ')}` : text;
}

/** A fraction that can be read at a glance. */
export const readable = (exact: string) => (exact.length <= 30 && exact.includes('/') ? exact : '');

/** The most likely outcomes: which they are, and how likely each is. */
export function likeliest({ rows }: Result): { label: string; percent: string } {
  if (rows.length === 0) return { label: 'nothing', percent: '0%' };
  const top = rows.reduce((best, row) => (row.exactly.value > best.exactly.value ? row : best));
  const tied = [...rows.keys()].filter((at) => rows[at]!.exactly.value === top.exactly.value);
  const { percent } = top.exactly;
  if (tied.length > 1 && tied.length === rows.length) return { label: 'all alike', percent };
  const labels = tied.map((at) => rows[at]!.label);
  return { label: listed(labels, isRow(tied)), percent };
}

const isRow = (places: number[]) => places.length > 2 && places.at(-1)! - places[0]! === places.length - 1;

/** "9", "9 and 12", "9 to 14", "3, 5 and 9", "3, 5, 9 and 4 more" */
export function listed(labels: string[], isRange = false): string {
  if (labels.length < 2) return labels[0] ?? '';
  if (isRange) return `${labels[0]} to ${labels.at(-1)}`;
  if (labels.length > 4) return `${labels.slice(0, 3).join(', ')} and ${labels.length - 3} more`;
  return `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
}

/** A share of rolls: "37.5%". */
export const rounded = (value: number) => `${Number((value * 100).toFixed(value > 0 && value < 0.001 ? 3 : 1))}%`;

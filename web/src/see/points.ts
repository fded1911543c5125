// Several results on one axis: every outcome of any of them is a point, with each result's row for it. Long tails of
// negligible chance are cut, and what was cut is counted.

import type { Chance, Result, Row, View } from '../engine/types';
import { pen } from './pen';

export type Point = { x: number; label: string; rows: (Row | null)[] };
export type Tail = { outcomes: number; chance: number };

export const NEVER: Chance = { fraction: '0', percent: '0%', one_in: 'never', value: 0 };

export function pointsOf(results: Result[]): Point[] {
  const points = new Map<number, Point>();
  results.forEach((result, at) => {
    for (const row of result.rows) {
      if (row.value === null) continue;
      const point = points.get(row.value) ?? { x: row.value, label: row.label, rows: results.map(() => null) };
      point.rows[at] = row;
      points.set(row.value, point);
    }
  });
  return [...points.values()].sort((a, b) => a.x - b.x);
}

/** The chance of each point for one result. Between its outcomes, "at least" is that of the next one, "at most" that of
 * the one before. */
export function chances(points: Point[], at: number, view: View): Chance[] {
  const found = points.map((point) => point.rows[at]?.[view] ?? null);
  if (view === 'exactly') return found.map((chance) => chance ?? NEVER);
  const order = view === 'at_least' ? [...found.keys()].reverse() : [...found.keys()];
  let last = NEVER;
  for (const place of order) found[place] = last = found[place] ?? last;
  return found as Chance[];
}

/** The points that are worth drawing, and what is left out. */
export function cut(points: Point[]): { kept: Point[]; tail: Tail | null } {
  const chances = points.map((point) => point.rows.map((row) => row?.exactly.value ?? 0));
  const [from, end] = pen.likely(chances);
  if (end - from === points.length) return { kept: points, tail: null };
  const weight = (rows: number[][]) => rows.reduce((sum, row) => sum + Math.max(...row), 0);
  const chance = weight(chances.slice(0, from)) + weight(chances.slice(end));
  return { kept: points.slice(from, end), tail: { outcomes: points.length - (end - from), chance } };
}

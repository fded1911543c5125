// Several results on one axis: every outcome of any of them is a point, with each result's row for it. Long tails of
// negligible chance are cut, and what was cut is counted.

import type { Chance, Result, Row, View } from '../engine/types';

export type Point = { x: number; label: string; rows: (Row | null)[] };
export type Tail = { outcomes: number; chance: number };

export const NEVER: Chance = { fraction: '0', percent: '0%', one_in: 'never', value: 0 };
/** Chances below this, summed from an end, are not worth a place on the axis. */
const NEGLIGIBLE = 5e-6;

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
  const weight = (point: Point) => Math.max(...point.rows.map((row) => row?.exactly.value ?? 0));
  let [first, last, low, high] = [0, points.length - 1, 0, 0];
  while (first < last && low + weight(points[first]!) < NEGLIGIBLE) low += weight(points[first++]!);
  while (last > first && high + weight(points[last]!) < NEGLIGIBLE) high += weight(points[last--]!);
  const outcomes = points.length - (last - first + 1);
  if (outcomes < 5 || outcomes < points.length / 10) return { kept: points, tail: null };
  return { kept: points.slice(first, last + 1), tail: { outcomes, chance: low + high } };
}

// The fields of a record, to be seen together: each once, under all of its names where several have the same odds.

import type { Result } from '../engine/types';
import { type Card, cardsOf, words } from './cards';

export type FieldRow = { card: Card; names: string[]; title: string };

/** The fields that vary; none if the results are no record. */
export function fieldsOf(results: Result[]): FieldRow[] {
  if (!results.some((result) => result.field !== null)) return [];
  const rows: FieldRow[] = [];
  for (const card of cardsOf(results)) {
    const like = rows.find((row) => isLike(row.card, card));
    const title = words(card.results[0]?.called ?? card.title);
    if (like) {
      like.names.push(card.title);
      like.title += `, ${title}`;
    } else rows.push({ card, names: [card.title], title });
  }
  return rows.map((row) => ({ ...row, card: { ...row.card, title: row.title } }));
}

/** The fields that are drawn: those chosen; the most telling one if none was, or none of those is there any more. */
export function drawnRows(rows: FieldRow[], chosen: string[] | null): FieldRow[] {
  const drawn = rows.filter((row) => row.names.some((name) => chosen?.includes(name)));
  return drawn.length || chosen?.length === 0 ? drawn : rows.slice(0, 1);
}

/** The choice with one field more, or one less. */
export function toggled(rows: FieldRow[], chosen: string[] | null, row: FieldRow): string[] {
  const now = drawnRows(rows, chosen).flatMap((each) => each.names);
  return now.some((name) => row.names.includes(name))
    ? now.filter((name) => !row.names.includes(name))
    : [...now, row.names[0]!];
}

function isLike(a: Card, b: Card): boolean {
  return a.kind === b.kind && a.results.length === b.results.length && a.results.every((one, at) => haveSameOdds(one, b.results[at]!));
}

function haveSameOdds(a: Result, b: Result): boolean {
  return (
    a.name === b.name &&
    a.rows.length > 0 &&
    a.rows.length === b.rows.length &&
    a.mean?.exact === b.mean?.exact &&
    a.rows.every(({ label, exactly }, at) => {
      const other = b.rows[at]!;
      return label === other.label && exactly.value === other.exactly.value && exactly.fraction === other.exactly.fraction;
    })
  );
}

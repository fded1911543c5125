// Which results belong side by side. A record gives one card a field, with the most telling first; results of one kind
// and one field share a card and are compared in it; what never varies is said in one line at the end.

import type { Result } from '../engine/types';

export type Card = { key: string; title: string; kind: 'number' | 'truth' | 'name'; results: Result[] };
export type Constant = { title: string; value: string };

const TELLING = ['outcome', 'success', 'total'];

export function arrange(results: Result[]): { cards: Card[]; constants: Constant[] } {
  return { cards: together(cardsOf(results)), constants: results.filter(isConstant).map(constant) };
}

/** A card a field, the most telling first; results without fields share one. */
export function cardsOf(results: Result[]): Card[] {
  const cards = new Map<string, Card>();
  for (const result of results.filter((each) => !isConstant(each))) {
    const kind = kindOf(result);
    const key = `${result.field ?? ''} ${kind}`;
    const card = cards.get(key) ?? { key, kind, title: result.field ?? '', results: [] };
    card.results.push(result);
    cards.set(key, card);
  }
  return [...cards.values()].sort((a, b) => rank(a.title) - rank(b.title));
}

/** After the first card, the yes and no of a record share one. */
export function together([first, ...rest]: Card[]): Card[] {
  if (!first) return [];
  const small = (card: Card) => card.kind === 'truth' && card.results.every((result) => result.name === null);
  const results = rest.filter(small).flatMap((card) => card.results);
  if (results.length < 2) return [first, ...rest];
  const truths: Card = { key: 'truths', title: '', kind: 'truth', results };
  return [first, truths, ...rest.filter((card) => !small(card))];
}

function kindOf({ kind, rows }: Result): Card['kind'] {
  if (kind === 'number' && rows.every((row) => row.value !== null)) return 'number';
  return kind === 'truth' ? 'truth' : 'name';
}

/** What tells a result from the others on its card. */
export function nameOf(result: Result): string {
  return words(result.name ?? result.called ?? result.field ?? '');
}

/** Names of the language as words: `exceptional_success`, `attacker.total`. */
export function words(name: string): string {
  return /^[\w.]+$/.test(name) ? name.replaceAll(/[_.]/g, ' ') : name;
}

function constant({ name, field, called, rows }: Result): Constant {
  const title = [name, called ?? field].filter((part) => part !== null).join(', ');
  return { title: words(title), value: rows[0]!.label };
}

/** A yes or no that was asked for alone keeps its number, so that 0% does not look like another kind of answer. */
function isConstant({ kind, field, rows, rest, lost }: Result): boolean {
  return rows.length === 1 && !rest?.value && !lost?.value && (kind !== 'truth' || field !== null);
}

function rank(field: string): number {
  const at = TELLING.indexOf(field);
  return at < 0 ? TELLING.length : at;
}

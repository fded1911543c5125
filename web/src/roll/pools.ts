// The dice of a roll as they fell, pool by pool, in the order of the terminal's lines. The engine's side is
// `render::pools` in the crate `roll`.

import type { RollDie, RollStep, Shown } from '../engine/types';

export type { RollChoice, RollDie, RollPool, RollStep, Shown } from '../engine/types';

/** A die with what came from it: `6→6→1` and `(1)↻5`. */
export type Chain = { die: RollDie; again: boolean }[];

/** The dice in chains, each begun by a die that came from no other. */
export function chains(dice: RollDie[]): Chain[] {
  const children = new Map<number, number[]>();
  dice.forEach((die, place) => {
    if (die.from !== null) children.set(die.from, [...(children.get(die.from) ?? []), place]);
  });
  const walk = (place: number, again: boolean): Chain => {
    const chain: Chain = [];
    const waiting = [{ place, again }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const die = dice[next.place]!;
      chain.push({ die, again: next.again });
      const from = children.get(next.place) ?? [];
      const steps = from.map((child, i) => ({ place: child, again: die.rerolled && i === from.length - 1 }));
      waiting.push(...steps.reverse());
    }
    return chain;
  };
  return dice.flatMap((die, place) => (die.from === null ? [walk(place, false)] : []));
}

/** How often each value lies on the table, for pools too large to draw. */
export function tally(dice: RollDie[]): { shows: string; times: number }[] {
  const counted = new Map<string, number>();
  for (const die of dice.filter((one) => !one.dropped && !one.rerolled)) {
    const shows = said(die.shows);
    counted.set(shows, (counted.get(shows) ?? 0) + 1);
  }
  return [...counted]
    .map(([shows, times]) => ({ shows, times }))
    .sort((a, b) => Number(a.shows) - Number(b.shows) || a.shows.localeCompare(b.shows));
}

/** What became of a die, for those who hear it or point at it. */
export function fate(die: RollDie): string {
  const what = [
    die.clamped && `came up ${said(die.face)}`,
    die.throws.length > 0 && `thrown ${die.throws.map(said).join(' and ')}`,
    die.dropped && 'dropped',
    die.rerolled && 'thrown again',
    die.exploded && 'explodes',
    die.for > 0 && (die.for > 1 ? `counts ${die.for} times` : 'counts'),
    die.against > 0 && 'counts against',
    die.label,
  ];
  return [said(die.shows), ...what.filter(Boolean)].join(', ');
}

/** What is said after a choice: which was best, if that is known. */
export function verdict(step: RollStep | undefined): string {
  if (!step || !('choice' in step) || step.choice.best === null) return '';
  const { best, taken, options } = step.choice;
  const { label, worth } = options[best]!;
  return best === taken ? 'That is best' : `Best was ${label}${worth ? `: ${worth}` : ''}`;
}

/** A value as the table says it. */
export function said(value: Shown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.map(said).join(', ');
  if (typeof value === 'object') return Object.entries(value).map(([name, held]) => `${name} ${said(held)}`).join(', ');
  return String(value).replace(/^-/, '−');
}

// Twelve results can be told apart in one chart, also without colours: each has a dash and a marker of its own, and no
// two that share a shape share a dash. Beyond, results are drawn apart.

export const MOST_SERIES = 12;

/** The colour of a result. */
export const tone = (at: number) => `var(--s${at % MOST_SERIES})`;

const DASHES = [
  'none', '7 4', '2 3', '9 3 2 3', '14 4', '4 2',
  '1 4', '12 3 2 3 2 3', '18 6', '6 6', '3 6', '10 2',
];
export const dash = (at: number) => DASHES[at % MOST_SERIES]!;

const SHAPES = [
  'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  'm-3.5 -3.5h7v7h-7z',
  'm0 -4.5l4.5 8h-9z',
  'm0 -5l5 5l-5 5l-5 -5z',
  'm-4.5 -3.5h9l-4.5 8z',
  'm-1.4 -4.5h2.8v3.1h3.1v2.8h-3.1v3.1h-2.8v-3.1h-3.1v-2.8h3.1z',
];
const round = (n: number) => Math.round(n * 100) / 100;

/** The markers of a result at its places, as one path. */
export function markers(at: number, xs: number[], ys: number[]): string {
  const shape = SHAPES[at % SHAPES.length]!;
  return xs.map((x, place) => `M${round(x)} ${round(ys[place]!)}${shape}`).join('');
}

/** The second half of the twelve has hollow markers. */
export const isHollow = (at: number) => at % MOST_SERIES >= SHAPES.length;

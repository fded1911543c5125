// Paths of the chart. A whole series is one path, so that thousands of outcomes cost no more than ten.

const round = (n: number) => Math.round(n * 100) / 100;

/** One bar, standing on `base`, its top corners rounded where there is room. */
export function bar(x: number, width: number, top: number, base: number): string {
  const height = base - top;
  if (height <= 0) return '';
  const r = Math.min(3, width / 3, height);
  return width < 4
    ? `M${round(x)} ${round(base)}V${round(top)}h${round(width)}V${round(base)}z`
    : `M${round(x)} ${round(base)}V${round(top + r)}q0 ${round(-r)} ${round(r)} ${round(-r)}h${round(width - 2 * r)}q${round(r)} 0 ${round(r)} ${round(r)}V${round(base)}z`;
}

/** A staircase with one step a slot. */
export function steps(middles: number[], slot: number, tops: number[]): string {
  return middles
    .map(
      (x, at) =>
        `${at ? 'L' : 'M'}${round(x - slot / 2)} ${round(tops[at]!)}L${round(x + slot / 2)} ${round(tops[at]!)}`,
    )
    .join('');
}

export function line(middles: number[], tops: number[]): string {
  return middles.map((x, at) => `${at ? 'L' : 'M'}${round(x)} ${round(tops[at]!)}`).join('');
}

/** Different shapes, so that lines are told apart without their colours. */
const SHAPES = [
  'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  'm-3.5 -3.5h7v7h-7z',
  'm0 -4.5l4.5 8h-9z',
  'm0 -5l5 5l-5 5l-5 -5z',
  'm-4.5 -3.5h9l-4.5 8z',
  'm-1.4 -4.5h2.8v3.1h3.1v2.8h-3.1v3.1h-2.8v-3.1h-3.1v-2.8h3.1z',
];
export const DASHES = ['none', '7 4', '2 3', '9 3 2 3', '14 4', '4 2'];

export function markers(series: number, middles: number[], tops: number[]): string {
  const shape = SHAPES[series % SHAPES.length]!;
  return middles.map((x, at) => `M${round(x)} ${round(tops[at]!)}${shape}`).join('');
}

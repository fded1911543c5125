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

/** The bars of an outcome stand side by side: how wide each is, and where its middle is from that of the slot. */
export function group(slot: number, count: number): { whole: number; each: number; shift: (series: number) => number } {
  const whole = slot < 4 ? slot : Math.min(slot * 0.84, 64 * count);
  const each = whole / count;
  return { whole, each, shift: (series) => (series + 0.5) * each - whole / 2 };
}

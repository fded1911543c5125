// Round numbers on an axis, by the rule that exported pictures follow too (crates/show/src/svg/scale.rs): both are held
// against tests/support/ticks.json.

export type Ticks = { step: number; at: number[] };

/** Ticks from `low` to `high`, at most so many of them, at multiples of a round step that is at least `smallest`. */
export function ticks(low: number, high: number, most: number, smallest = 0): Ticks {
  const span = Math.max(high - low, Number.MIN_VALUE);
  const step = roundAbove(Math.max(span / Math.max(most, 1), smallest));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return { step, at: Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => (first + n) * step) };
}

/** 1, 2, 5, 10, 20 …: the smallest that is at least `wanted`. */
export function roundAbove(wanted: number): number {
  const power = 10 ** Math.floor(Math.log10(wanted));
  // A little slack, so that 0.30000000000000004 is no reason for a coarser step.
  return (([1, 2, 5].find((digit) => digit * power >= wanted * 0.999_999) ?? 10) * power);
}

/** A tick's number without more decimals than its step needs. */
export function label(value: number, step: number): string {
  const text = value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-12)));
  return Number(text) === 0 ? '0' : text;
}

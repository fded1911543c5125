// What if: which values an input is tried at, and what the engine tells about them.

import type { Good, Input, Measure, SweepAnswer } from '../engine/types';

/** Which inputs vary (one is a curve, two are a map), and which number is looked at. */
export type WhatIf = { over: string[]; of?: string; that?: string };
export const NOTHING: WhatIf = { over: [] };

const MOST_INPUTS = 2;
const MOST_ON_A_SIDE = 21;
const MOST_ON_A_CURVE = 101;

/** The same with an input more or less; of three, the oldest goes. */
export function toggled({ over, ...rest }: WhatIf, name: string): WhatIf {
  const next = over.includes(name) ? over.filter((other) => other !== name) : [...over, name].slice(-MOST_INPUTS);
  return { ...rest, over: next };
}

export const canVary = (input: Input) => input.kind === 'number' || input.kind === 'truth' || input.variants.length > 1;

/** `bonus=0,1,2 …`: all that the slider reaches, and the value that it has; fewer where there are too many for a map. */
export function axisOf(input: Input, value: string, alone: boolean, wider = false): string {
  return `${input.name}=${valuesOf(input, value, alone ? MOST_ON_A_CURVE : MOST_ON_A_SIDE, wider).join(',')}`;
}

function valuesOf(input: Input, value: string, most: number, wider: boolean): string[] {
  if (input.kind === 'truth') return ['no', 'yes'];
  if (input.variants.length) return input.variants;
  const { from, to, step } = input.suggested ?? { from: 0, to: 20, step: 1 };
  const now = Number(value);
  const [low, high] = [Math.min(from, now || from), Math.max(to, now || to) + (wider ? to - from : 0)];
  const by = step * Math.max(1, Math.ceil((high - low) / step / (most - 1)));
  const count = Math.floor((high - low) / by + 1e-9) + 1;
  const values = Array.from({ length: count }, (_, at) => low + at * by);
  // The value that holds belongs to the curve, also where it lies between two of its points.
  if (Number.isFinite(now) && !values.includes(now)) values.push(now);
  return values.sort((a, b) => a - b).map(String);
}

export type Swept = Good<SweepAnswer>;

/** The numbers that are drawn: the one that was chosen, else all of the first kind. */
export function drawn(measures: Measure[], of: string | undefined): Measure[] {
  const chosen = measures.filter((measure) => measure.title === of);
  if (chosen.length) return chosen;
  const asked = measures.filter((measure) => measure.asked);
  if (asked.length) return asked;
  return measures.filter((measure) => measure.chance === measures[0]?.chance).slice(0, 6);
}

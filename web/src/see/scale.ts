// Where things stand on paper. Outcomes are slots of equal width, one for each multiple of the smallest step between
// two outcomes; where outcomes lie too far apart for that, they simply stand side by side.

import { count } from './count';
import type { Point } from './points';
import { label, roundAbove, ticks } from './ticks';

export type Tick = { at: number; label: string };
export type Frame = { left: number; right: number; top: number; bottom: number; width: number; height: number };
export type Across = {
  slot: number;
  middle: (index: number) => number;
  nearest: (px: number) => number;
  ticks: Tick[];
};

const LETTER = 7.4;

export function across(points: Point[], frame: Frame): Across {
  const width = frame.width - frame.left - frame.right;
  const first = points[0]?.x ?? 0;
  const last = points.at(-1)?.x ?? 0;
  const gap = smallestGap(points);
  const slots = Math.round((last - first) / gap) + 1;
  const linear = slots <= Math.max(points.length * 8, 60);
  const slot = width / (linear ? slots : points.length);
  const place = (x: number) => frame.left + ((x - first) / gap + 0.5) * slot;
  const middle = (index: number) => (linear ? place(points[index]!.x) : frame.left + (index + 0.5) * slot);
  const ticks =
    linear && slots > points.length * 0.5 ? linearTicks(points, gap, slot, place) : outcomeTicks(points, middle, frame);
  return { slot, middle, nearest: (px) => nearest(points.length, middle, px), ticks };
}

function smallestGap(points: Point[]): number {
  let gap = Infinity;
  for (let at = 1; at < points.length; at++) gap = Math.min(gap, points[at]!.x - points[at - 1]!.x);
  return Number.isFinite(gap) ? gap : 1;
}

/** Labels at round numbers, as many as have room. */
function linearTicks(points: Point[], gap: number, slot: number, place: (x: number) => number): Tick[] {
  const longest = points.reduce((most, point) => Math.max(most, point.label.length), 0);
  const room = longest * LETTER + 10;
  if (slot >= room) return points.map((point) => ({ at: place(point.x), label: point.label }));
  const step = niceAbove((room / slot) * gap, gap);
  const first = Math.ceil(points[0]!.x / step - 1e-9);
  const last = Math.floor(points.at(-1)!.x / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step).map((x) => ({
    at: place(x),
    label: words(x),
  }));
}

/** Labels at outcomes, leaving out those that have no room. */
function outcomeTicks(points: Point[], middle: (index: number) => number, frame: Frame): Tick[] {
  const ticks: Tick[] = [];
  let free = 0;
  points.forEach((point, index) => {
    const half = (point.label.length * LETTER) / 2;
    const at = middle(index);
    if (at - half < free || at + half > frame.width) return;
    ticks.push({ at, label: point.label });
    free = at + half + 10;
  });
  return ticks;
}

function nearest(count: number, middle: (index: number) => number, px: number): number {
  let [low, high] = [0, count - 1];
  while (high - low > 1) {
    const half = (low + high) >> 1;
    if (middle(half) <= px) low = half;
    else high = half;
  }
  return px - middle(low) <= middle(high) - px ? low : high;
}

/** The round step for labels that need so much room; between whole outcomes there is nothing. */
function niceAbove(least: number, gap: number): number {
  const step = roundAbove(least);
  return gap >= 1 ? Math.max(1, Math.round(step)) : step;
}

/** Round percentages from nothing to the highest chance. */
export function percentTicks(highest: number, most = 6): { value: number; label: string }[] {
  const { step, at } = ticks(0, 100 * Math.max(highest, 1e-12), most);
  return at.map((percent) => ({ value: percent / 100, label: `${label(percent, step)}%` }));
}

const words = (x: number) => count(Number(x.toPrecision(10)));

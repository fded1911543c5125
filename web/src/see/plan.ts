// The plan of a chart: how large it is, where outcomes stand across it and how high a chance reaches.

import type { Chance, View } from '../engine/types';
import type { Point } from './points';
import { across as spread, type Across, type Frame, percentTicks } from './scale';

export type Plan = {
  frame: Frame;
  across: Across;
  middles: number[];
  up: (value: number) => number;
  grid: { value: number; label: string }[];
};

/** `least`: so high it must reach at least. */
export function plan(points: Point[], values: Chance[][], view: View, width: number, height: number, least = 0): Plan {
  const top = values.flat().reduce((most, chance) => Math.max(most, chance.value), least);
  const highest = view === 'exactly' && top > 0 ? top : 1;
  const grid = percentTicks(highest);
  const left = 16 + 7.4 * Math.max(...grid.map((tick) => tick.label.length));
  const frame = { left, right: 8, top: 22, bottom: 30, width, height };
  const across = spread(points, frame);
  const room = height - frame.top - frame.bottom;
  return {
    frame,
    across,
    grid,
    middles: points.map((_, index) => across.middle(index)),
    up: (value) => height - frame.bottom - (value / highest) * room,
  };
}

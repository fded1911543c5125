// A result as columns, if it is a number, else as a table with bars.

import type { Chance, Result, Row, View } from '../said.js';
import { html, svg } from './base.js';

const WIDTH = 640;
const HEIGHT = 200;
/** Room for the words below. */
const BELOW = 18;
/** More columns than this would be thinner than a pixel or two. */
const MOST = 300;

export const chance = (row: Row, view: View): Chance => row[view] ?? row.exactly;

/** Columns on the scale of the numbers, and a table for those who want to read it. */
export function columns(result: Result, view: View): Element {
  const rows = likely(result.rows.filter((row) => row.value !== null));
  const [low, high] = [rows[0]!.value!, rows.at(-1)!.value!];
  const step = gap(rows);
  const width = WIDTH / ((high - low) / step + 1);
  const most = Math.max(...rows.map((row) => chance(row, view).value)) || 1;
  const bars = rows.map((row) => {
    const { value, percent } = chance(row, view);
    const height = (value / most) * HEIGHT;
    const x = ((row.value! - low) / step) * width;
    const place = { x: x + width * 0.08, y: HEIGHT - height, width: Math.max(width * 0.84, 0.5), height };
    return svg('rect', place, svg('title', {}, `${row.label}: ${percent}`));
  });
  const label = result.sentence;
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT + BELOW}`, role: 'img', 'aria-label': label },
    ...bars, svg('line', { x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT }), ...ticks(rows, low, step, width));
}

/** Far tails are left out before columns become hairs. */
function likely(rows: Row[]): Row[] {
  if (rows.length <= MOST) return rows;
  let [from, to] = [0, rows.length];
  while (to - from > MOST) {
    if (rows[from]!.exactly.value <= rows[to - 1]!.exactly.value) from++;
    else to--;
  }
  return rows.slice(from, to);
}

function gap(rows: Row[]): number {
  const gaps = rows.slice(1).map((row, at) => row.value! - rows[at]!.value!);
  const least = Math.min(...gaps);
  // Numbers that are far apart stand beside each other: nobody wants an empty chart.
  return Number.isFinite(least) && least > 0 ? Math.max(least, (rows.at(-1)!.value! - rows[0]!.value!) / MOST) : 1;
}

/** As many numbers below as have room. */
function ticks(rows: Row[], low: number, step: number, width: number): SVGElement[] {
  const longest = Math.max(...rows.map(({ label }) => label.length));
  const every = Math.max(1, Math.ceil(((longest + 1.5) * 6.5) / width));
  const shown = rows.filter((row) => Math.round((row.value! - low) / step) % every === 0);
  return shown.map((row) => {
    const x = ((row.value! - low) / step + 0.5) * width;
    return svg('text', { x, y: HEIGHT + BELOW - 4, 'text-anchor': 'middle', 'aria-hidden': 'true' }, row.label);
  });
}

/** Every outcome with its chance; with a bar where that is the chart. */
export function table(result: Result, view: View, bars: boolean): HTMLElement {
  // A yes is part of a whole; of many names the likeliest fills the room.
  const most = result.kind === 'truth' ? 1 : Math.max(...result.rows.map((row) => chance(row, view).value)) || 1;
  const head = html('tr', {}, html('th', { scope: 'col' }, 'Outcome'), bars && html('td'), html('th', { scope: 'col' }, bars ? 'Chance' : WORDS[view]));
  const body = result.rows.map((row) => {
    const { percent, value } = chance(row, view);
    const bar = html('span');
    bar.style.width = `${(value / most) * 100}%`;
    return html('tr', {}, html('th', { scope: 'row' }, row.label), bars && html('td', { class: 'bar' }, bar), html('td', {}, percent));
  });
  return html('table', { 'aria-label': result.sentence }, html('thead', {}, head), html('tbody', {}, ...body));
}

export const WORDS: Record<View, string> = { exactly: 'Exactly', at_least: 'At least', at_most: 'At most' };

// A result as a chart, if it is a number, else as a table with bars.

import { paint, type Pen } from '../pen.js';
import type { Chance, Result, Row, View } from '../said.js';
import { html, svg } from './base.js';

const WIDTH = 640;
const HEIGHT = 240;

export const chance = (row: Row, view: View): Chance => row[view] ?? row.exactly;

/** Chances on the scale of the numbers; the table is for those who want to read them. */
export function columns(pen: Pen, result: Result, view: View): Element {
  const all = result.rows.flatMap((row) => (row.value === null ? [] : [{ label: row.label, x: row.value, row }]));
  const [from, end] = pen.likely(all.map(({ row }) => [row.exactly.value]));
  const outcomes = all.slice(from, end);
  const told = outcomes.map(({ row }) => chance(row, view));
  const { marks } = pen.odds({
    names: [],
    outcomes,
    chances: [told.map(({ value }) => value)],
    written: told.map(({ percent }) => (percent.startsWith('<') ? '' : percent)),
    said: told.map(({ percent }, at) => `${outcomes[at]!.label}: ${percent}`),
    view,
    width: WIDTH,
    height: HEIGHT,
  });
  const drawn = svg('svg', { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': result.sentence });
  paint(drawn, marks);
  return drawn;
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

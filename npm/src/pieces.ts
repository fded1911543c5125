// What the engine is put together from, for those who want more say in how it is loaded, as Astragal's own page does.

export { Instance, type Progress } from './instance.js';
export { Broken, Lane, type Waits } from './lane.js';
export { later, Parts, type Later, type Place, type Watcher } from './parts.js';
export { loadPen, paint, Pen, type Axes, type Drawing, type LinesChart, type Mark, type OddsChart } from './pen.js';

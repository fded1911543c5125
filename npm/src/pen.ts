// Charts: what is drawn goes in as numbers and names, marks come out. All geometry, colours, ticks and letters are those of the
// pictures that the engine writes (crates/chart); here marks become elements.

import { pen as glue, type PenGlue } from '../wasm/pen.js';
import { Parts, type Place } from './parts.js';
import type { View } from './said.js';

/** An element of SVG: its name, its attributes, and the text or the elements in it. */
export type Mark = [name: string, attributes: Record<string, string>, content?: string | Mark[]];

/** A drawing, and where things are in it, in pixels. */
export type Drawing = {
  marks: Mark[];
  /** The middle of each outcome's room, from the left. */
  middles: number[];
  /** How wide the room of an outcome is, and each of its bars. */
  slot: number;
  bar: number;
  /** From the top to the highest place, and to where 0 is. */
  top: number;
  foot: number;
  /** How high one percent is, or one of what else is drawn. */
  unit: number;
};

export type Paper = { width: number; height: number };
/** What stands at the edges: round numbers, the two ends, or nothing. */
export type Axes = 'ticks' | 'ends' | 'nothing';

export type OddsChart = Paper & {
  /** What the results are called. */
  names: string[];
  outcomes: { label: string; x: number }[];
  /** For each result the chances of all outcomes, from 0 to 1. */
  chances: number[][];
  view: View;
  /** What stands above the bars of one result, where there is room. */
  written?: string[];
  /** What is said where one result is pointed at. */
  said?: string[];
  /** The outcomes that are meant, from one place up to another; others step back. */
  inside?: [from: number, end: number];
  /** Whose look the first result has. */
  first?: number;
  /** The axis reaches at least so high, from 0 to 1. */
  least?: number;
  /** A number that is marked across. */
  mean?: number | undefined;
  axes?: Axes;
};

export type LinesChart = Paper & {
  titles: string[];
  /** The values of the input, as they are written. */
  values: string[];
  /** For each line a number at each value, where it has one; chances in percent. */
  numbers: (number | null)[][];
  chance: boolean;
};

const texts = (list: string[]) => list.map((text) => text.replaceAll('\n', ' ')).join('\n');

export class Pen {
  #glue: PenGlue;

  constructor(module: WebAssembly.Module) {
    this.#glue = glue();
    this.#glue.initSync({ module });
  }

  odds({ names, outcomes, chances, view, written = [], said = [], inside, first = 0, least = 0, mean, width, height, axes = 'ticks' }: OddsChart): Drawing {
    const [from, end] = inside ?? [0, outcomes.length];
    const [labels, numbers] = [texts(outcomes.map(({ label }) => label)), Float64Array.from(outcomes, ({ x }) => x)];
    return JSON.parse(
      this.#glue.odds(texts(names), labels, numbers, Float64Array.from(chances.flat()), texts(written), texts(said), view, from, end, first, least, mean, width, height, axes),
    );
  }

  lines({ titles, values, numbers, chance, width, height }: LinesChart): Drawing {
    const scale = values.map(Number);
    const isScale = values.every((value) => value.trim()) && scale.every(Number.isFinite);
    const flat = Float64Array.from(numbers.flat(), (number) => number ?? NaN);
    return JSON.parse(this.#glue.lines(texts(titles), texts(values), Float64Array.from(isScale ? scale : []), flat, chance, width, height));
  }

  /** The sign of a series in a legend, 26 wide and 14 high. */
  swatch(at: number, mark: 'square' | 'line' | 'marked'): Mark[] {
    return JSON.parse(this.#glue.swatch(at, mark));
  }

  /** The outcomes that are worth drawing, from one place up to another; far ends of negligible chance are not. */
  likely(chances: number[][]): [from: number, end: number] {
    const [from, end] = this.#glue.likely(Float64Array.from(chances.flat()), chances[0]?.length ?? 0);
    return [from!, end!];
  }

  /** The style of a cell of a heat map, for a share between 0 and 1. */
  heated(share: number): string {
    return this.#glue.heated(share);
  }

  /** How many series have a colour of their own. */
  get tones(): number {
    return this.#glue.tones();
  }

  /** How drawings look, in elements of the class `chart`. What surrounds them says what `--ink`, `--soft`, `--card`, `--line`
      and `--edge` are. */
  style(): string {
    return this.#glue.style();
  }
}

let coming: Promise<Pen> | undefined;

/** The pen of this package, unless another place is named; it is fetched once. */
export function loadPen(place: Place = new URL('../wasm/astragal_pen.wasm', import.meta.url)): Promise<Pen> {
  coming ??= new Parts([place]).part(0).then((module) => new Pen(module));
  coming.catch(() => (coming = undefined)); // the next who asks tries again
  return coming;
}

/** Draws marks, in the place of what was drawn. Texts are texts, whatever stands in them. */
export function paint(into: Element, marks: Mark[]) {
  into.replaceChildren(...marks.map(element));
}

function element([name, attributes, content = '']: Mark): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  if (typeof content === 'string') made.textContent = content;
  else made.append(...content.map(element));
  return made;
}

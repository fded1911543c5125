// From calls to requests. The engine on this thread and the one on another ask in the same words.

/** A program, what stands beside it, and how much it may cost. */
export type Source = {
  /** Values of inputs: `{ bonus: 5 }`. */
  set?: Record<string, string | number | bigint | boolean>;
  /** Files that the program may `use`, by their names. */
  files?: Record<string, string>;
  /** The steps of work that it may take; 400 million unless it is said, 4,000 million at most. */
  steps?: number;
};
export type OddsOptions = Source & {
  /** Endless results are listed at least up to this number. */
  until?: number | bigint;
  /** Only this field of a record: `"outcome"`, `"attack.total"`. */
  field?: string;
  /** Conditions whose chances are wanted too: `[">= 15"]`. */
  chance?: string[];
};
export type RollOptions = Source & {
  /** The same seed gives the same roll, here and on the command line. */
  seed?: number | bigint;
  /** Which roll of the seed, from 1. */
  number?: number;
  /** A source of chance of one's own, from 0 to 1; one number of it is the seed. */
  random?: () => number;
  /** The faces that come up, instead of chance: `"3,6,2,5"`, or `[3, 6, 2, 5]`. */
  faces?: string | readonly (string | number)[];
};
/** Values of an input: a range `"0..10"`, a list `"2,4,6"`, or the values. */
export type Values = string | readonly (string | number | bigint | boolean)[];
export type SweepOptions = Source & { field?: string; chance?: string[] };
export type SolveOptions = Source & {
  /** The chance to reach: `"65%"`, `"13/20"`. */
  chance?: string;
  /** The mean to reach: `12`, `"7/2"`. */
  mean?: string | number;
  /** At most that much, not at least. */
  atMost?: boolean;
  /** What has the chance, where the result is no yes or no: `">= 15"`. */
  that?: string;
  field?: string;
};
export type CompareOptions = Source & { field?: string; until?: number | bigint };
export type PictureOptions = Source & {
  view?: 'exactly' | 'at_least' | 'at_most';
  theme?: 'light' | 'dark' | 'viewer';
  field?: string;
  width?: number;
  height?: number;
};
/** The tools whose notation is understood. */
export type Notation = 'anydice' | 'roll20' | 'foundry' | 'avrae' | 'rpg-dice-roller' | 'dicemaiden' | 'astragal';

const texts = (values: Record<string, unknown> | null = {}) =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]));

const source = ({ set, files, steps }: Source) => ({ inputs: texts(set), files: files ?? {}, steps });

const facesOf = ({ faces }: RollOptions) => (typeof faces === 'object' ? faces?.join(',') : faces);

/** Only what a seed can be: nothing is rounded behind one's back. */
function seedOf({ seed, random }: RollOptions): string | undefined {
  if (random) return String(Math.floor(random() * 2 ** 53));
  return seed === undefined ? undefined : String(wholeSeed(seed));
}

export function wholeSeed(seed: number | bigint): bigint {
  const whole = typeof seed === 'bigint' ? seed : Number.isSafeInteger(seed) ? BigInt(seed) : -1n;
  if (whole < 0n || whole >= 1n << 64n) throw new RangeError(`\`${seed}\` is no seed: a seed is a whole number from 0 to 2^64 - 1`);
  return whole;
}

function axes(over: Record<string, Values>): string[] {
  return Object.entries(over).map(([name, values]) => {
    const text = typeof values === 'string' ? values : values.map(String).join(',');
    return text ? `${name}=${text}` : name;
  });
}

export const requests = {
  odds: (text: string, options: OddsOptions = {}) => {
    const { until, field, chance } = options;
    return { ask: 'data', of: 'odds', text, ...source(options), until: until?.toString(), field, chance };
  },
  roll: (text: string, options: RollOptions = {}) => {
    const { number } = options;
    return { ask: 'data', of: 'roll', text, ...source(options), seed: seedOf(options), number, faces: facesOf(options) };
  },
  /** A roll for people: its lines, its dice as they fell. */
  told: (text: string, options: RollOptions = {}) => {
    return { ask: 'roll', text, ...source(options), seed: seedOf(options), faces: facesOf(options) };
  },
  check: (text: string, options: Source = {}) => ({ ask: 'check', text, ...source(options) }),
  format: (text: string) => ({ ask: 'format', text }),
  complete: (text: string, at: number, options: Source = {}) => ({ ask: 'complete', text, at, files: options.files ?? {} }),
  tokens: (text: string) => ({ ask: 'tokens', text }),
  convert: (text: string, from?: Notation) => ({ ask: 'data', of: 'convert', text, from }),
  sweep: (text: string, over: Record<string, Values>, options: SweepOptions = {}) => {
    const { field, chance } = options;
    return { ask: 'data', of: 'sweep', text, over: axes(over), ...source(options), field, chance };
  },
  solve: (text: string, over: string | Record<string, Values>, options: SolveOptions = {}) => {
    const { chance, mean, atMost, that, field } = options;
    const asked = typeof over === 'string' ? [over] : axes(over);
    const goal = { chance, mean: mean?.toString(), at_most: atMost ?? false, that, field };
    return { ask: 'data', of: 'solve', text, over: asked, ...source(options), ...goal };
  },
  compare: (programs: readonly string[], options: CompareOptions = {}) => {
    const { field, until } = options;
    return { ask: 'data', of: 'compare', texts: programs, ...source(options), field, until: until?.toString() };
  },
  systems: () => ({ ask: 'data', of: 'systems' }),
  picture: (text: string, options: PictureOptions = {}) => {
    const { view = 'exactly', theme = 'viewer', field, width, height } = options;
    return { ask: 'picture', text, ...source(options), view, theme, field, width, height };
  },
};

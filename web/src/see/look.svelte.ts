// How a reader looks at an answer, beside the view: as a table, with a mark, with some fields drawn. It is part of the
// link, so that who opens it sees the same. Links come from outside: what does not fit is left out.

export type Joint = 'fields' | 'map' | 'correlations';
export type LookState = {
  table?: true;
  /** The marked outcome of each card. */
  marks?: Record<string, number>;
  /** The fields that are drawn. */
  fields?: string[];
  joint?: Joint;
  /** The two fields of the map: across and down. */
  pair?: [string, string];
  /** Which of many results are drawn, by their places. */
  chosen?: number[];
  /** Whether several results are drawn apart. */
  apart?: boolean;
};

const MOST = 50;

export class Look {
  table = $state(false);
  marks = $state.raw<Record<string, number>>({});
  fields = $state.raw<string[] | null>(null);
  joint = $state<Joint>('fields');
  pair = $state.raw<[string, string] | null>(null);
  chosen = $state.raw<number[] | null>(null);
  apart = $state<boolean | null>(null);

  mark(card: string, x: number | null) {
    const { [card]: _, ...others } = this.marks;
    this.marks = x === null ? others : { ...others, [card]: x };
  }

  restore(state: LookState | undefined) {
    this.table = state?.table ?? false;
    this.marks = state?.marks ?? {};
    this.fields = state?.fields ?? null;
    this.joint = state?.joint ?? 'fields';
    this.pair = state?.pair ?? null;
    this.chosen = state?.chosen ?? null;
    this.apart = state?.apart ?? null;
  }

  /** What differs from how everything begins; nothing if nothing does. */
  get state(): LookState | undefined {
    const state: LookState = {
      ...(this.table ? { table: true as const } : {}),
      ...(Object.keys(this.marks).length ? { marks: this.marks } : {}),
      ...(this.fields ? { fields: this.fields } : {}),
      ...(this.joint !== 'fields' ? { joint: this.joint } : {}),
      ...(this.pair ? { pair: this.pair } : {}),
      ...(this.chosen ? { chosen: this.chosen } : {}),
      ...(this.apart !== null ? { apart: this.apart } : {}),
    };
    return Object.keys(state).length ? state : undefined;
  }
}

export function checkLook(found: unknown): LookState | undefined {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
  const { table, marks, fields, joint, pair, chosen, apart } = found as Record<string, unknown>;
  const look: LookState = {};
  if (table === true) look.table = true;
  const kept = typeof marks === 'object' && marks !== null ? Object.entries(marks).filter(isMark).slice(0, MOST) : [];
  if (kept.length) look.marks = Object.fromEntries(kept) as Record<string, number>;
  if (isNames(fields)) look.fields = fields;
  if (joint === 'map' || joint === 'correlations') look.joint = joint;
  if (isNames(pair) && pair.length === 2) look.pair = [pair[0]!, pair[1]!];
  if (Array.isArray(chosen) && chosen.length <= MOST && chosen.every((each) => Number.isInteger(each) && each >= 0)) {
    look.chosen = chosen as number[];
  }
  if (typeof apart === 'boolean') look.apart = apart;
  return Object.keys(look).length ? look : undefined;
}

const isMark = ([card, x]: [string, unknown]) => card.length <= 200 && typeof x === 'number' && Number.isFinite(x);
const isNames = (found: unknown): found is string[] =>
  Array.isArray(found) && found.length <= MOST && found.every((each) => typeof each === 'string' && each.length <= 200);

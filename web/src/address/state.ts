// What an address or a draft holds. Both come from outside (anybody may write a link), so every field is checked before
// it is believed; what does not fit is left out, and what is no state at all is null.

import type { View } from '../engine/types';
import { checkLook, type LookState } from '../see/look.svelte';
import type { WhatIf } from '../whatif/whatif';

export type PlayState = { call: string; values: Record<string, unknown> };
export type State = {
  v: 1;
  at: 'ask' | 'play';
  text: string;
  files?: Record<string, string>;
  inputs?: Record<string, string>;
  view?: View;
  whatif?: WhatIf;
  look?: LookState;
  play?: PlayState;
  seed?: string;
  /** What a person took in the roll of this seed. */
  choices?: string[];
};

const LONGEST_TEXT = 200_000;
const MOST_ENTRIES = 100;

export function check(found: unknown): State | null {
  if (!isObject(found) || found.v !== 1) return null;
  const text = shortText(found.text, LONGEST_TEXT);
  if (text === undefined) return null;
  const state: State = { v: 1, at: found.at === 'play' ? 'play' : 'ask', text };
  const files = texts(found.files, LONGEST_TEXT);
  if (files) state.files = files;
  const inputs = texts(found.inputs, 1000);
  if (inputs) state.inputs = inputs;
  if (isView(found.view)) state.view = found.view;
  const whatif = whatIf(found.whatif);
  if (whatif) state.whatif = whatif;
  const look = checkLook(found.look);
  if (look) state.look = look;
  const play = playState(found.play);
  if (play) state.play = play;
  const seed = shortText(found.seed, 100);
  if (seed !== undefined) state.seed = seed;
  if (seed !== undefined && isChoices(found.choices)) state.choices = found.choices;
  return state;
}

/** Whether a program is short enough to be believed when it is read again. */
export function lasts(state: State): boolean {
  const again = check(state);
  return again !== null && Object.keys(state.files ?? {}).every((name) => again.files?.[name] !== undefined);
}

function playState(found: unknown): PlayState | undefined {
  if (!isObject(found) || !isObject(found.values)) return undefined;
  const call = shortText(found.call, 200);
  return call === undefined ? undefined : { call, values: few(found.values) };
}

function whatIf(found: unknown): WhatIf | undefined {
  if (!isObject(found) || !Array.isArray(found.over)) return undefined;
  const over = found.over.filter((name) => shortText(name, 100) !== undefined).slice(0, 2) as string[];
  const [of, that] = [shortText(found.of, 200), shortText(found.that, 200)];
  return over.length ? { over, ...(of ? { of } : {}), ...(that ? { that } : {}) } : undefined;
}

function texts(found: unknown, longest: number): Record<string, string> | undefined {
  if (!isObject(found)) return undefined;
  const fitting = Object.entries(few(found)).filter(
    ([name, text]) => name.length <= 100 && shortText(text, longest) !== undefined,
  );
  return fitting.length ? (Object.fromEntries(fitting) as Record<string, string>) : undefined;
}

const few = (record: Record<string, unknown>) => Object.fromEntries(Object.entries(record).slice(0, MOST_ENTRIES));
const isView = (found: unknown): found is View => found === 'exactly' || found === 'at_least' || found === 'at_most';
const isChoices = (found: unknown): found is string[] =>
  Array.isArray(found) && found.length <= MOST_ENTRIES && found.every((each) => shortText(each, 1000) !== undefined);
const isObject = (found: unknown): found is Record<string, unknown> =>
  typeof found === 'object' && found !== null && !Array.isArray(found);
const shortText = (found: unknown, longest: number) =>
  typeof found === 'string' && found.length <= longest ? found : undefined;

// The last hundred rolls, kept in the browser and nowhere else. A roll is its program and its seed: the same seed gives
// the same dice, so that an entry can be replayed and passed on.

import type { Source } from '../engine/types';
import { told } from './outcome';
import type { Shown } from './pools';

export type Entry = {
  id: number;
  source: Source;
  seed: string | null;
  /** What a person took, where one decided. */
  choices?: string[];
  /** What came of it, in a few words. */
  value: string;
  /** When, as milliseconds. */
  time: number;
};

const KEY = 'astragal.history';
const MOST = 100;
/** House rules travel with their rolls; a shelf of large files would fill the browser's storage. */
const LONGEST = 100_000;

let entries = $state.raw<Entry[]>(load());

export const history = {
  get entries() {
    return entries;
  },
  add(source: Source, seed: string | null, value: Shown, choices?: string[]) {
    const id = (entries[0]?.id ?? 0) + 1;
    const entry = { id, source, seed, value: inBrief(value), time: Date.now(), ...(choices ? { choices } : {}) };
    entries = [entry, ...entries].slice(0, MOST);
    save();
  },
  /** Takes in rolls from elsewhere; whether they could be kept. */
  bring(others: Entry[]): boolean {
    const known = new Set(entries.map((entry) => `${entry.seed} ${entry.source.text}`));
    const added = others.filter((entry) => !known.has(`${entry.seed} ${entry.source.text}`));
    const all = [...entries, ...added].sort((a, b) => b.time - a.time).slice(0, MOST);
    entries = all.map((entry, at) => ({ ...entry, id: all.length - at }));
    save();
    return true;
  },
  clear() {
    entries = [];
    save();
  },
};

/** The last line of a program is what a reader knows it by. */
export const lastLine = ({ text }: Source) => text.trim().split('\n').at(-1) ?? '';

function inBrief(value: Shown): string {
  const { headline, parts } = told(value);
  const rest = parts.slice(0, headline ? 1 : 3).map((part) => `${part.name.toLowerCase()} ${part.value}`);
  return [headline, ...rest].filter(Boolean).join(', ');
}

function load(): Entry[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isEntry).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function save() {
  try {
    let room = LONGEST;
    const fitting = entries.filter((entry) => (room -= JSON.stringify(entry).length) > 0);
    localStorage.setItem(KEY, JSON.stringify(fitting));
  } catch {
    // without storage, the history lasts as long as the page
  }
}

export function isEntry(found: unknown): found is Entry {
  const entry = found as Entry | null;
  return (
    typeof entry?.id === 'number' &&
    typeof entry.time === 'number' &&
    typeof entry.value === 'string' &&
    (entry.seed === null || typeof entry.seed === 'string') &&
    typeof entry.source?.text === 'string' &&
    (entry.choices === undefined || (Array.isArray(entry.choices) && entry.choices.every((each) => typeof each === 'string')))
  );
}

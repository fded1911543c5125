// Everything that the browser keeps for somebody, as one file, and back. A file is believed as a whole or not at all: what
// is wrong with any part of it is said before anything is changed.

import { history, isEntry, type Entry } from '../roll/history.svelte';
import { checkDraft, type Draft, drafts } from './drafts.svelte';
import { checkSaved, type Saved, saved } from './saved.svelte';

type Everything = { astragal: 'everything'; v: 1; made: string; saved: Saved[]; drafts: Draft[]; rolls: Entry[] };

/** In bytes: more than a browser keeps. */
export const LARGEST = 20_000_000;

export class BadFile extends Error {
  override name = 'BadFile';
}

export function everything(): string {
  const whole: Everything = {
    astragal: 'everything',
    v: 1,
    made: new Date().toISOString(),
    saved: saved.all,
    drafts: drafts.all,
    rolls: history.entries,
  };
  return `${JSON.stringify(whole, null, 1)}\n`;
}

/** Takes in a file; says what came of it. Throws `BadFile`, with nothing changed. */
export function bring(text: string): string {
  const whole = read(text);
  const before = [saved.all.length, drafts.all.length];
  const fits = [saved.bring(whole.saved), drafts.bring(whole.drafts), history.bring(whole.rolls)].every(Boolean);
  const added = saved.all.length - before[0]! + (drafts.all.length - before[1]!);
  if (!fits) return 'The browser’s storage is full: some of it lasts only as long as this page is open';
  return added === 1 ? '1 program came in' : `${added} programs came in`;
}

function read(text: string): Everything {
  let found: Partial<Everything> | null = null;
  try {
    found = JSON.parse(text) as Partial<Everything> | null;
  } catch {
    throw new BadFile('This file could not be read: it is not whole, or no file of ours.');
  }
  if (found?.astragal !== 'everything') throw new BadFile('This is no file of ours.');
  if (found.v !== 1) throw new BadFile('This file is of a newer version of the page: load the page anew, then try again.');
  return {
    ...(found as Everything),
    saved: all(found.saved, checkSaved),
    drafts: all(found.drafts, checkDraft),
    rolls: all(found.rolls, (one) => (isEntry(one) ? one : null)),
  };
}

function all<T>(found: unknown, check: (one: unknown) => T | null): T[] {
  const items = Array.isArray(found) ? found.map(check) : [null];
  if (items.includes(null)) throw new BadFile('A part of this file could not be read, so nothing was taken from it.');
  return items as T[];
}

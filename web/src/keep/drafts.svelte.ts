// What was being written: every program that somebody changed is a draft, until it is deleted or many others came after
// it. A draft belongs to the tab that writes it; see journey.svelte.ts.

import { check, type State } from '../address/state';
import { distinct, Stored } from './stored';

export type Draft = {
  id: string;
  /** When it was changed last, as milliseconds. */
  time: number;
  state: State;
  /** The saved program that it began as. */
  saved?: string;
};

export const MOST_DRAFTS = 80;

export function checkDraft(found: unknown): Draft | null {
  const { id, time, state: held, saved } = (found ?? {}) as Partial<Draft>;
  const state = check(held);
  if (typeof id !== 'string' || !id || typeof time !== 'number' || !state) return null;
  return { id, time, state, ...(typeof saved === 'string' ? { saved } : {}) };
}

let version = $state(0);
const stored = new Stored<Draft>('astragal.drafts', checkDraft, () => version++);

export const drafts = {
  /** The newest first. */
  get all(): Draft[] {
    void version;
    return stored.items;
  },
  find: (id: string) => drafts.all.find((draft) => draft.id === id),
  /** Whether it could be kept. */
  put: (draft: Draft) =>
    change((all) => [draft, ...all.filter(({ id }) => id !== draft.id)].slice(0, MOST_DRAFTS)),
  remove: (id: string) => change((all) => all.filter((draft) => draft.id !== id)),
  /** Takes in drafts from elsewhere; those that are here already stay as they are. */
  bring: (others: Draft[]) =>
    change((all) => distinct([...all, ...others]).sort((a, b) => b.time - a.time).slice(0, MOST_DRAFTS)),
};

function change(how: (all: Draft[]) => Draft[]): boolean {
  const kept = stored.change(how);
  version++;
  return kept;
}

/** What makes two states the same program: everything but how it is looked at. */
export const content = ({ text, files, inputs, play }: State) => JSON.stringify([text, files ?? {}, inputs ?? {}, play ?? null]);

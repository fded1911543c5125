// Programs that were saved under a name, in folders. They change only when somebody saves them again.

import { check, type State } from '../address/state';
import { content } from './drafts.svelte';
import { fresh, Stored } from './stored';

export type Saved = { id: string; name: string; folder: string; time: number; state: State };

export const LONGEST_NAME = 80;

export function checkSaved(found: unknown): Saved | null {
  const { id, name, folder, time, state: held } = (found ?? {}) as Partial<Saved>;
  const state = check(held);
  const short = (text: unknown): text is string => typeof text === 'string' && text.length <= LONGEST_NAME;
  if (typeof id !== 'string' || !id || !short(name) || !name.trim() || !short(folder)) return null;
  return state && typeof time === 'number' ? { id, name, folder, time, state } : null;
}

let version = $state(0);
const stored = new Stored<Saved>('astragal.saved', checkSaved, () => version++);
/** As a language sorts; for thousands of names. */
const words = new Intl.Collator();
const byName = (a: Saved, b: Saved) => words.compare(a.folder, b.folder) || words.compare(a.name, b.name);

export const saved = {
  /** By folder, then by name. */
  get all(): Saved[] {
    void version;
    return stored.items;
  },
  get folders(): string[] {
    return [...new Set(saved.all.map(({ folder }) => folder).filter(Boolean))];
  },
  find: (id: string | undefined) => (id === undefined ? undefined : saved.all.find((one) => one.id === id)),
  /** Whether it could be kept. */
  put: (one: Saved) => change((all) => [...all.filter(({ id }) => id !== one.id), one].sort(byName)),
  remove: (id: string) => change((all) => all.filter((one) => one.id !== id)),
  /** Takes in programs from elsewhere: what is here already stays as it is, and another version of it comes beside it. */
  bring: (others: Saved[]) =>
    change((all) => {
      const [names, here] = [new Set(all.map(({ id }) => id)), new Set(all.map(held))];
      const added = others.flatMap((one) => {
        if (here.has(held(one))) return [];
        const mine = names.has(one.id) ? beside(one) : one;
        names.add(mine.id);
        here.add(held(one));
        return [mine];
      });
      return [...all, ...added].sort(byName);
    }),
};

/** What makes two saved programs the same. */
const held = ({ name, state }: Saved) => JSON.stringify([name, content(state)]);
const beside = (one: Saved): Saved => ({
  ...one,
  id: fresh(),
  name: `${one.name.slice(0, LONGEST_NAME - 11)} (imported)`,
});

function change(how: (all: Saved[]) => Saved[]): boolean {
  const kept = stored.change(how);
  version++;
  return kept;
}

// Where somebody is, and how they came there. What is looked at is a *sheet*: a program with its files, its inputs and a
// form. A step (an example, a link, a saved program, a tab, the other face) is an entry of the browser's history, so that Back
// goes back; typing only changes the entry that one is at. Opening something opens a new sheet: the one before stays as it
// was left, and is a draft if somebody changed it.

import { content, drafts } from '../keep/drafts.svelte';
import { fresh } from '../keep/stored';
import { read, Unreadable, write } from './address';
import { claim } from './claim';
import { loadDraft } from './draft';
import { check, lasts, type State } from './state';

/** What a page lets its journey see and set. `open` is the tab of the editor. */
export type Page = {
  snapshot: () => State;
  restore: (state: State) => void;
  tab: () => string;
  openTab: (name: string) => void;
  /** What the page opens with, which needs no address. */
  first: () => State;
  say: (message: string) => void;
};
/** An entry of the history. It has its state besides until its address is written, which takes a moment. */
type Where = { sheet: string; tab: string; saved?: string; state?: State };

let page: Page | undefined;
let sheet = $state(fresh());
let saved = $state<string | undefined>();
/** What the sheet held when it was opened; what is still the same need not be kept. */
let origin = '';
/** Counts what happened; work that was begun before the last of it is outdated. */
let turn = 0;
let writing: Promise<void> = Promise.resolve();
/** Why what was written last is not kept. */
let warned: '' | 'full' | 'long' = '';

export const journey = {
  /** The sheet that is open. */
  get sheet() {
    return sheet;
  },
  /** The saved program that the sheet began as. */
  get saved() {
    return saved;
  },
  set saved(id: string | undefined) {
    saved = id;
  },
  begin,
  stay,
  back,
  /** The page is left: the last letters are kept too. */
  leave: () => page && keep(page.snapshot()),
};

/** Finds out where one is: on a reload, at a link, or at the draft of the last time. */
async function begin(given: Page): Promise<void> {
  page = given;
  const where = history.state as Where | null;
  const linked = await linkedTo(where);
  const kept = where?.sheet ? drafts.find(where.sheet) : undefined;
  if (kept) await resume(kept.id, merged(kept.state, linked), where?.tab);
  else if (linked) await arrive(linked, where);
  else if (location.hash.length <= 1) await takeUp();
  origin ||= content(page.snapshot());
  history.replaceState(here(), '');
}

/** Goes on with the draft of the last time. */
async function takeUp(): Promise<void> {
  const old = drafts.all.length === 0 ? loadDraft() : null;
  const last = old ? { id: fresh(), state: old } : drafts.all[0];
  if (last) await resume(last.id, last.state);
}

async function resume(id: string, state: State, tab?: string): Promise<void> {
  const draft = drafts.find(id);
  page!.restore(state);
  origin = content(state);
  saved = draft?.saved;
  sheet = (await claim(id)) ? id : fresh();
  if (tab) page!.openTab(tab);
}

/** What a link holds is a sheet of its own, unless it is a draft of ours. */
async function arrive(state: State, where: Where | null): Promise<void> {
  const same = drafts.all.find((draft) => content(draft.state) === content(state));
  if (same && !where) return resume(same.id, { ...same.state, ...state });
  page!.restore(state);
  origin = content(state);
  saved = where?.saved;
  sheet = where?.sheet ?? fresh();
  if (!(await claim(sheet))) sheet = fresh();
  if (where?.tab) page!.openTab(where.tab);
}

/** What was written last counts; how it is looked at is as the entry says. */
function merged(kept: State, linked: State | null): State {
  if (!linked) return kept;
  const sameForm = linked.play?.call === kept.play?.call;
  const { play: _, ...rest } = linked;
  const play = sameForm ? kept.play : linked.play;
  const { text, files, inputs } = kept;
  const whole: State = { ...rest, text };
  for (const [name, value] of Object.entries({ files, inputs, play })) {
    if (value === undefined) delete (whole as Record<string, unknown>)[name];
    else (whole as Record<string, unknown>)[name] = value;
  }
  return whole;
}

/** What an entry is about, apart from drafts. */
async function linkedTo(where: Where | null): Promise<State | null> {
  return check(where?.state) ?? (location.hash.length > 1 ? readable(location.hash) : null);
}

async function readable(hash: string): Promise<State | null> {
  try {
    page!.say('');
    return await read(hash);
  } catch (failure) {
    if (failure instanceof Unreadable) page!.say(failure.message);
    return null;
  }
}

const here = (): Where => ({ sheet, tab: page!.tab(), ...(saved ? { saved } : {}) });

/** The address of a state; what the page opens with has none, nor has what is too long for one. */
const addressOf = async (state: State) => {
  const none = location.pathname + location.search;
  return JSON.stringify(state) === JSON.stringify(page!.first()) ? none : write(state).catch(() => none);
};

/** Keeps what was changed. */
function keep(state: State) {
  if (content(state) === origin && !drafts.find(sheet)) return;
  if (!lasts(state)) return warn('long', 'A program of more than 200,000 letters is not kept: it lasts only as long as this page.');
  if (drafts.put({ id: sheet, time: Date.now(), state, ...(saved ? { saved } : {}) })) return warn('');
  warn('full', 'The browser’s storage is full or forbidden: what you write lasts only as long as this page. Save it to a file under Programs.');
}

/** Says once why something is not kept. */
function warn(why: typeof warned, message = '') {
  if (message && warned !== why) page!.say(message);
  warned = why;
}

/** Nothing happened but typing: the entry and the draft follow. */
async function stay(state: State): Promise<void> {
  const mine = ++turn;
  keep(state);
  const [where, address] = [here(), await addressOf(state)];
  await writing;
  if (mine === turn && page) history.replaceState(where, '', address);
}

/** A step in the same sheet: another face, tab or form. */
export function step(change: () => void) {
  go(change, false);
}

/** What a sheet begins as: a saved program, a draft, or something that somebody has made, which is worth keeping as it is. */
export type Of = { saved?: string; draft?: string; made?: boolean };

/** Opens something in a sheet of its own. */
export function openSheet(change: () => void, of: Of = {}) {
  go(change, true, of);
}

function go(change: () => void, anew: boolean, of: Of = {}) {
  if (!page) return change();
  const [before, from] = [page.snapshot(), here()];
  keep(before);
  change();
  if (anew) {
    sheet = of.draft ?? fresh();
    saved = of.saved;
    origin = of.made ? '' : content(page.snapshot());
    const mine = sheet;
    void claim(sheet).then((ours) => {
      if (!ours && sheet === mine) sheet = fresh();
    });
  }
  const mine = ++turn;
  const [after, to] = [page.snapshot(), here()];
  // At once, for whoever goes back at once; addresses take a moment to be written, and follow.
  history.replaceState({ ...from, ...entry(before) }, '');
  history.pushState({ ...to, ...entry(after) }, '');
  writing = writing.then(async () => {
    const next = await addressOf(after);
    if (mine === turn) history.replaceState(to, '', next);
  });
}

/** A state as a part of an entry. What is too long for that is a draft, or lost. */
const entry = (state: State) => (lasts(state) ? { state: JSON.parse(JSON.stringify(state)) as State } : {});

/** Back or forward, or an address that somebody changed by hand. */
async function back(event: PopStateEvent): Promise<void> {
  if (!page) return;
  keep(page.snapshot());
  const mine = ++turn;
  const where = event.state as Where | null;
  const linked = await linkedTo(where);
  if (mine !== turn) return;
  const kept = where ? drafts.find(where.sheet) : undefined;
  if (where && kept) await resume(where.sheet, merged(kept.state, linked), where.tab);
  else if (linked) await arrive(linked, where);
  else if (where && location.hash.length <= 1) await arrive(page.first(), where);
  // An entry that had its state besides now gets its address.
  if (where?.state) await stay(page.snapshot());
  else history.replaceState(here(), '');
}

// Odds as one types. The newest question counts: a running one that has become outdated gets a moment to finish and is
// then ended. The last answer stays while the next is computed, and grows dim only if that takes a while.

import { ask, Broken } from '../engine/client';
import { loading } from '../engine/loading';
import type { OddsAnswer, Source } from '../engine/types';
import { ahead } from './ahead';
import { pauseAfter } from './pause';

/** The engine's own budget. */
export const USUAL_STEPS = 400_000_000;

const PATIENCE = 150;
const DIM_AFTER = 300;
const SLOW_AFTER = 400;

export class Odds {
  /** The last answer, good or bad. */
  answer = $state.raw<OddsAnswer | null>(null);
  /** The last good answer, with the question it answers. */
  good = $state.raw<{ answer: OddsAnswer & { ok: true }; source: Source } | null>(null);
  /** Whether an answer is still to come; what is shown until then answers an earlier question. */
  busy = $state(false);
  dim = $state(false);
  slow = $state(false);
  /** How much of the budget is used, from 0 to 1. */
  used = $state(0);
  /** While the engine, or a part of it, is loaded for this answer: how much of it is there, from 0 to 1. */
  loaded = $state<number | null>(null);
  stopped = $state(false);
  broken = $state('');
  steps = $state(USUAL_STEPS);

  /** How long to wait for the next key. */
  pause = 0;

  #wanted: Source | null = null;
  #last: Source | null = null;
  #running: { abort: AbortController; since: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks for the odds of a program, after a pause in which it may change again. */
  want(source: Source, pause: number) {
    this.#wanted = source;
    this.busy = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), pause);
  }

  /** The same question with a larger budget, where the engine says that it helps. */
  raise() {
    if (this.answer?.ok === false && this.answer.more) this.steps = this.answer.more;
    this.again();
  }

  again() {
    if (this.#last) this.want(this.#last, 0);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#wanted = null;
    this.busy = false;
    this.stopped = true;
    this.#running?.abort.abort();
  }

  #begin() {
    if (!this.#wanted) return;
    if (!this.#running) void this.#run();
    else {
      const { abort, since } = this.#running;
      this.#timer = setTimeout(() => abort.abort(), Math.max(0, PATIENCE - (performance.now() - since)));
    }
  }

  async #run(): Promise<void> {
    const source = this.#wanted;
    if (!source) return;
    this.#wanted = null;
    this.#last = source;
    const abort = new AbortController();
    const since = performance.now();
    this.#running = { abort, since };
    this.stopped = false;
    this.used = 0;
    const timers = [setTimeout(() => (this.dim = true), DIM_AFTER), setTimeout(() => (this.slow = true), SLOW_AFTER)];
    void ahead(source).then((known) => {
      if (!known || this.#running?.abort !== abort) return;
      timers.forEach(clearTimeout);
      this.#take(known, source);
    });
    try {
      this.#take(await ask({ ask: 'odds', steps: this.steps, ...source }, this.#options(abort)), source);
    } catch (failure) {
      if (failure instanceof Broken) this.broken = failure.message;
    }
    timers.forEach(clearTimeout);
    this.pause = pauseAfter(performance.now() - Math.max(since, this.#complete));
    this.#running = null;
    if (this.#wanted) return this.#run();
    this.busy = this.dim = this.slow = false;
  }

  /** When the engine was last waited for: that is no part of what an answer costs. */
  #complete = 0;
  #unwatch = () => {};
  #wait = (waits: boolean) => {
    this.#unwatch();
    this.loaded = null;
    this.#unwatch = waits ? loading.watch((share) => (this.loaded = share)) : () => {};
    this.#complete = performance.now();
  };

  #options = (abort: AbortController) => ({
    signal: abort.signal,
    onwait: this.#wait,
    onprogress: (used: number, allowed: number) => (this.used = used / allowed),
  });

  #take(answer: OddsAnswer, source: Source) {
    this.broken = '';
    this.answer = answer;
    if (answer.ok) this.good = { answer, source };
  }
}

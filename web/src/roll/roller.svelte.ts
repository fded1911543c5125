// Rolling: one program, one answer, and an entry in the history. The newest roll counts; one that is still under way
// when the next begins is ended.

import { ask, Broken } from '../engine/client';
import type { Diagnostic, RollAnswer, Source } from '../engine/types';
import { history } from './history.svelte';
import type { Shown } from './pools';

export class Roller {
  answer = $state.raw<(RollAnswer & { ok: true }) | null>(null);
  /** Why there was nothing to roll. */
  refused = $state.raw<Diagnostic[]>([]);
  broken = $state('');
  busy = $state(false);

  #running: AbortController | null = null;

  /** Rolls with fresh dice, or with the dice of a seed. Whether it came to a roll. */
  async roll(source: Source, seed?: string): Promise<boolean> {
    this.#running?.abort();
    const abort = new AbortController();
    this.#running = abort;
    this.busy = true;
    try {
      const answer = await ask({ ask: 'roll', ...source, ...(seed ? { seed } : {}) }, { signal: abort.signal, lane: 'roll' });
      this.broken = '';
      this.refused = answer.ok ? [] : answer.diagnostics;
      this.answer = answer.ok ? answer : null;
      if (answer.ok && !seed) history.add(source, answer.seed, answer.roll.value as Shown);
      return answer.ok;
    } catch (failure) {
      if (failure instanceof Broken) this.broken = failure.message;
      return false;
    } finally {
      if (this.#running === abort) this.busy = false;
    }
  }

  forget() {
    this.#running?.abort();
    this.answer = null;
    this.refused = [];
    this.broken = '';
  }
}

// Rolling many times: how often each outcome came up, without the dice. The newest count counts.

import { ask, Broken } from '../engine/client';
import type { Diagnostic, Source } from '../engine/types';
import type { Many } from '../see/fallen';

export class ManyRolls {
  answer = $state.raw<Many | null>(null);
  refused = $state.raw<Diagnostic[]>([]);
  broken = $state('');
  busy = $state(false);
  /** How far it is, from 0 to 1. */
  done = $state(0);

  #running: AbortController | null = null;

  async throw(source: Source, count: number) {
    this.forget();
    const abort = new AbortController();
    this.#running = abort;
    this.busy = true;
    this.done = 0;
    try {
      const onprogress = (used: number, allowed: number) => (this.done = used / allowed);
      const answer = await ask({ ask: 'rolls', count, ...source }, { signal: abort.signal, onprogress });
      if (answer.ok) this.answer = answer;
      else this.refused = answer.diagnostics;
    } catch (failure) {
      if (failure instanceof Broken) this.broken = failure.message;
    }
    if (this.#running === abort) this.busy = false;
  }

  forget() {
    this.#running?.abort();
    this.#running = null;
    this.answer = null;
    this.refused = [];
    this.broken = '';
    this.busy = false;
  }
}

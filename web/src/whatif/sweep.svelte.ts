// Asks for a sweep, or for a solution; the newest question counts. They have a lane of their own, so that neither odds nor
// rolls wait for them.

import { ask } from '../engine/client';
import type { AnswerOf, Diagnostic, Good, Refusal, Request } from '../engine/types';

const PAUSE = 120;
const SLOW_AFTER = 400;

export class Asking<R extends Request> {
  answer = $state.raw<Good<AnswerOf<R>> | null>(null);
  refused = $state.raw<Diagnostic | null>(null);
  busy = $state(false);
  slow = $state(false);
  /** How much is done, from 0 to 1. */
  done = $state(0);

  #abort: AbortController | null = null;

  /** Asks, after a moment in which the question may change again. The cleanup ends it. */
  want(request: R): () => void {
    this.busy = true;
    const timer = setTimeout(() => void this.#run(request), PAUSE);
    return () => {
      clearTimeout(timer);
      this.#abort?.abort();
      this.#abort = null;
    };
  }

  async #run(request: R) {
    const abort = (this.#abort = new AbortController());
    const slow = setTimeout(() => (this.slow = true), SLOW_AFTER);
    this.done = 0;
    try {
      const answer = await ask(request, {
        lane: 'whatif',
        signal: abort.signal,
        onprogress: (done, all) => (this.done = done / all),
      });
      const told = answer as Good<AnswerOf<R>> | Refusal;
      this.answer = told.ok ? told : null;
      this.refused = told.ok ? null : (told.diagnostics[0] ?? null);
    } catch {
      // outdated, or broken off: the next question has a fresh engine
    }
    clearTimeout(slow);
    if (this.#abort === abort || this.#abort === null) this.busy = this.slow = false;
  }
}

// Asking how the fields of a record go together, while they are looked at. The newest question counts.

import { ask } from '../engine/client';
import type { JointAnswer, JointRequest } from '../engine/types';

export class Together {
  answer = $state.raw<(JointAnswer & { ok: true }) | null>(null);
  busy = $state(false);
  /** Why there is nothing to see. */
  refused = $state('');

  #running: AbortController | null = null;

  async want(request: JointRequest) {
    this.#running?.abort();
    const abort = new AbortController();
    this.#running = abort;
    this.busy = true;
    try {
      const answer = await ask(request, { signal: abort.signal });
      this.answer = answer.ok ? answer : null;
      this.refused = answer.ok ? '' : answer.over_budget ? 'Together, these parts cost more than the budget allows.' : 'This could not be worked out.';
    } catch {
      if (!abort.signal.aborted) this.refused = 'This could not be worked out.';
    }
    if (this.#running === abort) this.busy = false;
  }

  stop() {
    this.#running?.abort();
  }
}

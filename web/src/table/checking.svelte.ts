// The page's own checker beside the entry line, and what to expect of the roll. Typing waits for neither.

import { ask } from '../engine/client';
import type { Diagnostic, Result } from '../engine/types';
import type { Inputs } from './events';
import { namedNumbers, withRules } from './numbers';
import type { View } from './sitting.svelte';

const PAUSE = 120;
const STEPS = 40_000_000;

export class Checking {
  problems = $state.raw<Diagnostic[]>([]);
  results = $state.raw<Result[]>([]);
  /** The numbers of a character that the program names. */
  inputs = $state.raw<Inputs>([]);
  busy = $state(false);
  #running: AbortController | undefined;

  want(text: string, view: Pick<View, 'numbers' | 'rules'>, seat: number | null) {
    this.#running?.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    this.busy = true;
    if (text.trim() === '') {
      this.problems = this.results = [];
      this.inputs = [];
      return;
    }
    setTimeout(() => signal.aborted || void this.#ask(text, view, seat, signal), PAUSE);
  }

  async #ask(text: string, view: Pick<View, 'numbers' | 'rules'>, seat: number | null, signal: AbortSignal) {
    try {
      const { inputs, declared } = await namedNumbers(text, [], view, seat);
      if (signal.aborted) return;
      const source = { text: withRules(text, view.rules, declared), inputs: Object.fromEntries(inputs) };
      const answer = await ask({ ask: 'odds', steps: STEPS, ...source }, { signal, lane: 'whatif' });
      this.inputs = inputs;
      // What is too much for odds may be rolled all the same.
      this.problems = answer.ok || answer.over_budget ? this.#refusals(answer) : answer.diagnostics.filter(({ severity }) => severity === 'error');
      this.results = answer.ok ? answer.results : [];
      this.busy = false;
    } catch {
      // a newer text is asked about, or the engine is not there: the house checks too
    }
  }
  #refusals(answer: { decides?: boolean }): Diagnostic[] {
    const message = 'somebody decides in this program; at a table dice alone decide';
    return answer.decides ? [{ severity: 'error', code: 'decides', message, labels: [], help: [], fixes: [], rendered: message }] : [];
  }
}
export const checked = () => new Checking();

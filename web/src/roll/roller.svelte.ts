// Rolling: one program, one answer, and an entry in the history. The newest roll counts; one that is still under way
// when the next begins is ended. Where a person decides, a roll goes as far as the next choice, and is thrown again with the
// same dice and one choice more.

import { ask, Broken } from '../engine/client';
import type { DecideAnswer, Diagnostic, RollAnswer, Source } from '../engine/types';
import { history } from './history.svelte';
import type { Shown } from './pools';

/** A roll, or one that waits for a person. */
export type Thrown = DecideAnswer & { ok: true };
type Game = { source: Source; seed: string | null; choices: string[]; fresh: boolean };

/** What options are worth is mostly known at once; if not, the next choice does not wait for it. */
const PATIENCE = 300;
const after = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

export class Roller {
  answer = $state.raw<Thrown | null>(null);
  /** What was rolled. */
  source = $state.raw<Source | null>(null);
  /** Counts the rolls; a roll in which a person decides stays the same one from choice to choice. */
  number = $state(0);
  /** Whether a person decides in it. */
  person = $state(false);
  /** Why there was nothing to roll. */
  refused = $state.raw<Diagnostic[]>([]);
  broken = $state('');
  busy = $state(false);

  #running: AbortController | null = null;
  #judging: Promise<unknown> = Promise.resolve();
  #game: Game | null = null;

  /** Rolls with fresh dice, or with the dice of a seed. Who hands in choices decides, after those. Whether it came to a
   *  roll. */
  throw(source: Source, seed?: string, choices?: string[]): Promise<boolean> {
    this.number++;
    this.source = source;
    this.person = choices !== undefined;
    this.#game = null;
    if (!choices) return this.#asking((signal) => this.#roll(source, seed, signal));
    return this.#play({ source, seed: seed ?? null, choices, fresh: !seed });
  }

  /** Takes what a person has chosen. */
  async choose(label: string): Promise<void> {
    const game = this.#game;
    if (!game) return;
    await Promise.race([this.#judging, after(PATIENCE)]);
    await this.#play({ ...game, choices: [...game.choices, label] });
  }

  forget() {
    this.#running?.abort();
    this.#game = null;
    this.answer = null;
    this.refused = [];
    this.broken = '';
  }

  async #roll(source: Source, seed: string | undefined, signal: AbortSignal) {
    const answer = await ask({ ask: 'roll', ...source, ...(seed ? { seed } : {}) }, { signal });
    this.#take(answer);
    if (answer.ok && !seed) history.add(source, answer.seed, answer.roll.value as Shown);
    return answer.ok;
  }

  #play(game: Game) {
    return this.#asking(async (signal) => {
      const { source, seed, choices } = game;
      const asked = { ask: 'decide' as const, ...source, choices, ...(seed ? { seed } : {}) };
      const answer = await ask(asked, { signal });
      this.#take(answer);
      if (!answer.ok) return false;
      const same = answer.seed ? { seed: answer.seed } : {};
      this.#game = { ...game, seed: answer.seed };
      if (!('question' in answer) && game.fresh) history.add(source, answer.seed, answer.roll.value as Shown, choices);
      // What fell is seen at once; what would have been best may take a while.
      this.#judging = ask({ ...asked, ...same, judge: true }, { signal }).then(
        (judged) => judged.ok && !signal.aborted && this.#take(judged),
        () => {},
      );
      return true;
    });
  }

  #take(answer: DecideAnswer | RollAnswer) {
    this.broken = '';
    this.refused = answer.ok ? [] : answer.diagnostics;
    this.answer = answer.ok ? answer : null;
  }

  async #asking(work: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
    this.#running?.abort();
    const abort = new AbortController();
    this.#running = abort;
    this.busy = true;
    try {
      return await work(abort.signal);
    } catch (failure) {
      if (failure instanceof Broken) this.broken = failure.message;
      return false;
    } finally {
      if (this.#running === abort) this.busy = false;
    }
  }
}

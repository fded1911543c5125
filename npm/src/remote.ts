// The engine on a thread of its own: the same calls, each a promise that can be aborted.

import { type Lane, type Progress, TooDeep } from './lane.js';
import { accepted, tooDeep } from './refusal.js';
import { requests } from './requests.js';
import type * as ask from './requests.js';
import type { CompleteAnswer, Diagnostic, RollAnswer } from './said.js';
import type { Comparison, Conversion, Odds, Roll, Solution, Sweep, Systems } from './shapes.js';

/** Whether somebody still waits, and who is told how far it is. */
export type Waiting = {
  /** Ends the work at once when it is aborted; the promise is rejected with its reason. */
  signal?: AbortSignal;
  /** Told during long work: steps used, and steps allowed. */
  onprogress?: Progress;
};

/** The dice engine on another thread. One question is answered at a time; what is no longer wanted is ended. */
export class Remote {
  #lane: Lane;

  /** @internal `worker()` makes it. */
  constructor(lane: Lane) {
    this.#lane = lane;
  }

  odds(text: string, options: ask.OddsOptions & Waiting = {}): Promise<Odds> {
    return this.#accepted(requests.odds(text, options), options);
  }

  roll(text: string, options: ask.RollOptions & Waiting = {}): Promise<Roll> {
    return this.#accepted(requests.roll(text, options), options);
  }

  async explain(text: string, options: ask.RollOptions & Waiting = {}): Promise<string[]> {
    const told = this.#accepted<Extract<RollAnswer, { ok: true }>>(requests.told(text, options), options);
    return (await told).lines;
  }

  async check(text: string, options: ask.Source & Waiting = {}): Promise<Diagnostic[]> {
    return (JSON.parse(await this.ask(requests.check(text, options), options)) as { diagnostics: Diagnostic[] }).diagnostics;
  }

  async format(text: string, options: Waiting = {}): Promise<string> {
    return (await this.#accepted<{ text: string }>(requests.format(text), options)).text;
  }

  complete(text: string, at: number = text.length, options: ask.Source & Waiting = {}): Promise<CompleteAnswer> {
    return this.#accepted(requests.complete(text, at, options), options);
  }

  convert(text: string, from?: ask.Notation, options: Waiting = {}): Promise<Conversion> {
    return this.#accepted(requests.convert(text, from), options);
  }

  sweep(text: string, over: Record<string, ask.Values>, options: ask.SweepOptions & Waiting = {}): Promise<Sweep> {
    return this.#accepted(requests.sweep(text, over, options), options);
  }

  solve(text: string, over: string | Record<string, ask.Values>, options: ask.SolveOptions & Waiting = {}): Promise<Solution> {
    return this.#accepted(requests.solve(text, over, options), options);
  }

  compare(programs: readonly string[], options: ask.CompareOptions & Waiting = {}): Promise<Comparison> {
    return this.#accepted(requests.compare(programs, options), options);
  }

  systems(options: Waiting = {}): Promise<Systems> {
    return this.#accepted(requests.systems(), options);
  }

  async picture(text: string, options: ask.PictureOptions & Waiting = {}): Promise<string> {
    return (await this.#accepted<{ content: string }>(requests.picture(text, options), options)).content;
  }

  /** Asks in the engine's own words (docs/schema), and gives its answer as the text that it is. */
  async ask(request: object, { signal, onprogress }: Waiting = {}): Promise<string> {
    try {
      return await this.#lane.run(JSON.stringify(request), signal, onprogress);
    } catch (failure) {
      throw failure instanceof TooDeep ? tooDeep(failure.cause) : failure;
    }
  }

  /** Ends the thread. */
  close() {
    this.#lane.close();
  }

  async #accepted<T>(request: object, waiting: Waiting): Promise<T> {
    return accepted<T>(await this.ask(request, waiting));
  }
}

// The engine on this thread: ask, and the answer is there. Long work belongs to `worker()`.

import { Instance } from './instance.js';
import { Broken, isDeep, Lane } from './lane.js';
import { Parts, type Place } from './parts.js';
import { Program } from './program.js';
import { accepted, tooDeep } from './refusal.js';
import { Remote } from './remote.js';
import { requests } from './requests.js';
import type * as ask from './requests.js';
import type { CompleteAnswer, Diagnostic, RollAnswer, Token } from './said.js';
import type { Comparison, Conversion, Odds, Roll, Solution, Sweep, Systems } from './shapes.js';

export type LoadOptions = {
  /** Where the engine's three parts are, in order, if not beside this package: addresses, bytes, or compiled modules. */
  parts?: readonly Place[];
};

type Told = Extract<RollAnswer, { ok: true }>;

/** The dice engine. Every call is answered at once, or throws an `AstragalError`. */
export class Astragal {
  #parts: Parts;
  #modules: WebAssembly.Module[];
  #instance: Instance;

  /** @internal `load()` makes it. */
  constructor(parts: Parts, modules: WebAssembly.Module[], instance: Instance) {
    this.#parts = parts;
    this.#modules = modules;
    this.#instance = instance;
  }

  /** The exact chance of every outcome. */
  odds(text: string, options?: ask.OddsOptions): Odds {
    return this.#accepted(requests.odds(text, options));
  }

  /** One roll, with everything that happened. */
  roll(text: string, options?: ask.RollOptions): Roll {
    return this.#accepted(requests.roll(text, options));
  }

  /** One roll in words: `["4d6 keep highest 3: 3 6 (2) 5 = 14"]`. */
  explain(text: string, options?: ask.RollOptions): string[] {
    return this.#accepted<Told>(requests.told(text, options)).lines;
  }

  /** What is wrong with a program, or may not be what was meant; never throws over a program. */
  check(text: string, options?: ask.Source): Diagnostic[] {
    return (JSON.parse(this.ask(requests.check(text, options))) as { diagnostics: Diagnostic[] }).diagnostics;
  }

  /** The program in the canonical layout. */
  format(text: string): string {
    return this.#accepted<{ text: string }>(requests.format(text)).text;
  }

  /** What may stand at a place, counted in UTF-16 units. */
  complete(text: string, at: number = text.length, options?: ask.Source): CompleteAnswer {
    return this.#accepted(requests.complete(text, at, options));
  }

  /** The words of a program and what they are, to be coloured. */
  tokens(text: string): Token[] {
    return this.#accepted<{ tokens: Token[] }>(requests.tokens(text)).tokens;
  }

  /** Another tool's notation in ours; AnyDice's programs are known without being named. */
  convert(text: string, from?: ask.Notation): Conversion {
    return this.#accepted(requests.convert(text, from));
  }

  /** How the numbers of a program change with its inputs: `sweep("d20 + bonus >= dc", { bonus: "0..10", dc: [10, 15] })`. */
  sweep(text: string, over: Record<string, ask.Values>, options?: ask.SweepOptions): Sweep {
    return this.#accepted(requests.sweep(text, over, options));
  }

  /** Which values of an input are enough: `solve("d20 + bonus >= 15", "bonus=0..20", { chance: "65%" })`. */
  solve(text: string, over: string | Record<string, ask.Values>, options?: ask.SolveOptions): Solution {
    return this.#accepted(requests.solve(text, over, options));
  }

  /** Several programs, and how often one beats another. */
  compare(programs: readonly string[], options?: ask.CompareOptions): Comparison {
    return this.#accepted(requests.compare(programs, options));
  }

  /** The rule systems that are built in. */
  systems(): Systems {
    return this.#accepted(requests.systems());
  }

  /** The chart of its odds, as an SVG document. */
  picture(text: string, options?: ask.PictureOptions): string {
    return this.#accepted<{ content: string }>(requests.picture(text, options)).content;
  }

  /** A program that is read once and asked often. */
  compile(text: string, options: ask.Source = {}): Program {
    const { inputs, files, steps } = requests.odds(text, options);
    const request = JSON.stringify({ text, inputs, files, steps });
    const instance = this.#instance;
    const guarded = <T>(work: () => T) => this.#guarded(work, instance);
    return new Program(guarded(() => instance.prepare(request)), guarded);
  }

  /** Asks in the engine's own words (docs/schema), and gives its answer as the text that it is. */
  ask(request: object): string {
    return this.#guarded(() => this.#instance.answerNow(JSON.stringify(request)));
  }

  /** The same calls on a thread of their own, which can be aborted. */
  async worker(): Promise<Remote> {
    const lane = new Lane(this.#parts);
    lane.warm();
    return new Remote(lane);
  }

  /** An engine that broke off is not asked again: the next question gets a fresh one. */
  #guarded<T>(work: () => T, instance = this.#instance): T {
    try {
      return work();
    } catch (trap) {
      if (instance === this.#instance) this.#startAnew();
      if (isDeep(trap)) throw tooDeep(trap);
      throw new Broken('The computation broke off. This is a fault of ours. The engine has been started anew.', { cause: trap });
    }
  }

  #startAnew() {
    const instance = new Instance();
    this.#modules.forEach((module) => void instance.addNow(module));
    this.#instance = instance;
  }

  #accepted<T>(request: object): T {
    return accepted<T>(this.ask(request));
  }
}

/** The parts of this package are loaded once, however many ask. */
let own: Parts | undefined;
export const ownParts = (): Parts => (own ??= new Parts());

/** Loads the engine: in browsers, Node, Deno, Bun, and with bundlers. */
export async function load({ parts }: LoadOptions = {}): Promise<Astragal> {
  const places = parts ? new Parts(parts) : ownParts();
  const modules = await places.together();
  const instance = new Instance();
  for (const module of modules) await instance.add(module);
  return new Astragal(places, modules, instance);
}

// A program that is read once and asked often.

import type { PreparedProgram } from '../wasm/glue.js';
import { accepted } from './refusal.js';
import { requests, wholeSeed } from './requests.js';
import type { OddsOptions, RollOptions } from './requests.js';
import type { Odds, Roll } from './shapes.js';

/** Does work of the engine, and knows what to do when it breaks off. */
type Guard = <T>(work: () => T) => T;

export type SampleOptions = { seed?: number | bigint };

/** A checked program with its inputs set. Its memory is given back when nobody knows it any more, or at once by `free()`.
    One whose engine broke off is of no use any more; compile it again. */
export class Program {
  #prepared: PreparedProgram;
  #guarded: Guard;
  #freed = false;

  /** @internal `compile()` makes it. */
  constructor(prepared: PreparedProgram, guarded: Guard) {
    const refusal = prepared.refusal();
    if (refusal !== undefined) {
      prepared.free();
      accepted(refusal);
    }
    this.#prepared = prepared;
    this.#guarded = guarded;
  }

  /** The exact chance of every outcome. */
  odds(options?: Omit<OddsOptions, 'set' | 'files'>): Odds {
    return this.#asked(requests.odds('', options));
  }

  /** One roll, with everything that happened. */
  roll(options?: Omit<RollOptions, 'set' | 'files'>): Roll {
    return this.#asked(requests.roll('', options));
  }

  /** Many rolls for their values alone: numbers, or 1 and 0 for yes and no. All come from one stream of the seed. */
  sample(count: number, { seed }: SampleOptions = {}): Float64Array {
    if (!Number.isSafeInteger(count) || count < 0 || count > 0xffff_ffff) throw new RangeError(`${count} is no number of rolls`);
    const from = seed === undefined ? undefined : wholeSeed(seed);
    this.#used();
    const told = this.#guarded(() => this.#prepared.sample(count, from));
    return typeof told === 'string' ? accepted<never>(told) : told;
  }

  /** Gives its memory back; the program can be asked nothing more. */
  free() {
    if (this.#freed) return;
    this.#freed = true;
    this.#prepared.free();
  }

  #used() {
    if (this.#freed) throw new Error('this program was freed: compile it again');
  }

  #asked<T>(request: object): T {
    this.#used();
    return accepted<T>(this.#guarded(() => this.#prepared.answer(JSON.stringify(request))));
  }
}

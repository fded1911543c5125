// One copy of the engine, put together from its parts: the first stands alone, each other one builds on those before it.

import { glue, type Glue } from '../wasm/glue.js';

export type Progress = (used: number, allowed: number) => void;

export class Instance {
  #glue: Glue = glue();
  /** What the parts have to offer to those after them. */
  #exports: WebAssembly.Exports[] = [];
  #adding: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** How many parts were handed over. */
  get parts(): number {
    return this.#count;
  }

  /** Adds the next part. */
  add(module: WebAssembly.Module): Promise<void> {
    this.#count++;
    const added = this.#adding.then(() => this.#build(module));
    added.catch(() => {}); // whoever asks hears of it
    this.#adding = added;
    return added;
  }

  async #build(module: WebAssembly.Module) {
    if (!this.#exports.length) return void this.#exports.push(this.#glue.initSync({ module }));
    const earlier = Object.fromEntries(this.#exports.entries()) as WebAssembly.Imports;
    this.#exports.push((await WebAssembly.instantiate(module, earlier)).exports);
  }

  /** The same at once, for modules that are small enough, or on a thread that may wait. */
  addNow(module: WebAssembly.Module) {
    this.#count++;
    if (!this.#exports.length) return void this.#exports.push(this.#glue.initSync({ module }));
    const earlier = Object.fromEntries(this.#exports.entries()) as WebAssembly.Imports;
    this.#exports.push(new WebAssembly.Instance(module, earlier).exports);
  }

  /** Answers as soon as the parts that were added are there. */
  async answer(request: string, progress?: Progress): Promise<string> {
    await this.#adding;
    return this.answerNow(request, progress);
  }

  /** The same without waiting, for those who know that all parts are there. */
  answerNow(request: string, progress?: Progress): string {
    return this.#glue.answer(request, progress);
  }

  /** A program that is read once and asked often. */
  prepare(request: string) {
    return new this.#glue.Program(request);
  }
}

// An instance of the engine, put together from its parts: the first stands alone, each other one builds on those before it.

import init, { answer } from '../pkg/astragal_wasm.js';

export class Instance {
  /** What the parts have to offer to those after them; the promise of the newest is the last. */
  #exports: Promise<WebAssembly.Exports>[] = [];

  /** How many parts were added. */
  get parts(): number {
    return this.#exports.length;
  }

  /** Adds the next part. */
  add(module: WebAssembly.Module): Promise<unknown> {
    const earlier = [...this.#exports];
    const added = earlier.length ? build(module, earlier) : start(module);
    added.catch(() => {}); // whoever asks hears of it
    this.#exports.push(added);
    return added;
  }

  async answer(request: string, progress?: (used: number, allowed: number) => void): Promise<string> {
    await Promise.all(this.#exports);
    return answer(request, progress);
  }

  /** The same without waiting, for those who know that all parts are there. */
  answerNow(request: string): string {
    return answer(request);
  }
}

async function start(module: WebAssembly.Module): Promise<WebAssembly.Exports> {
  return (await init({ module_or_path: module })) as unknown as WebAssembly.Exports;
}

async function build(module: WebAssembly.Module, earlier: Promise<WebAssembly.Exports>[]): Promise<WebAssembly.Exports> {
  const exports = await Promise.all(earlier);
  const built = await WebAssembly.instantiate(module, Object.fromEntries(exports.entries()) as WebAssembly.Imports);
  return built.exports;
}

// One instance of the engine in a thread of its own. It answers one request at a time; whoever has no more patience
// ends the whole thread, since nothing can interrupt WebAssembly from outside. Without all parts of the engine it answers
// what it can: an instance that trapped is not used again, so whoever asked starts one with a part more and asks that.

import { Instance } from './instance';

export type ToWorker = { module: WebAssembly.Module } | { request: string };
export type FromWorker = { used: number; allowed: number } | { answer: string } | { broken: string; parts: number };

const post = (message: FromWorker) => self.postMessage(message);
const engine = new Instance();

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ('module' in data) return void engine.add(data.module);
  const { parts } = engine;
  try {
    post({ answer: await engine.answer(data.request, (used, allowed) => post({ used, allowed })) });
  } catch (trap) {
    post({ broken: String(trap), parts });
  }
};

// One instance of the engine in a thread of its own. It answers one request at a time; whoever has no more patience
// ends the whole thread, since nothing can interrupt WebAssembly from outside.

import init, { answer } from '../pkg/astragal_wasm.js';

export type ToWorker = { module: WebAssembly.Module } | { request: string };
export type FromWorker = { used: number; allowed: number } | { answer: string } | { broken: string };

const post = (message: FromWorker) => self.postMessage(message);
let started: Promise<unknown> | undefined;

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ('module' in data) {
    started = init({ module_or_path: data.module });
    return;
  }
  try {
    await started;
    post({ answer: answer(data.request, (used: number, allowed: number) => post({ used, allowed })) });
  } catch (trap) {
    post({ broken: String(trap) });
  }
};

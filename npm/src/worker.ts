// One copy of the engine in a thread of its own. It answers one request at a time; whoever has no more patience
// ends the whole thread, since nothing can interrupt WebAssembly from outside. Without all parts of the engine it answers
// what it can: a copy that trapped is not used again, so whoever asked starts one with a part more and asks that.

import { Instance } from './instance.js';
import { isNode, nodeThreads } from './threads.js';

export type ToWorker = { module: WebAssembly.Module } | { request: string };
export type FromWorker = { used: number; allowed: number } | { answer: string } | { broken: string; parts: number };

type Port = { postMessage(message: FromWorker): void; hear(listener: (message: ToWorker) => void): void };

const browserPort: Port = {
  postMessage: (message) => self.postMessage(message),
  hear: (listener) => self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => listener(data)),
};

async function nodePort(): Promise<Port> {
  const { parentPort } = await nodeThreads();
  return {
    postMessage: (message) => parentPort!.postMessage(message),
    hear: (listener) => void parentPort!.on('message', (message) => listener(message as ToWorker)),
  };
}

function serve(port: Port) {
  const engine = new Instance();
  const tell = (used: number, allowed: number) => port.postMessage({ used, allowed });
  port.hear(async (message) => {
    if ('module' in message) return void engine.add(message.module);
    const { parts } = engine;
    try {
      port.postMessage({ answer: await engine.answer(message.request, tell) });
    } catch (trap) {
      port.postMessage({ broken: String(trap), parts });
    }
  });
}

// A browser's thread must listen before this script has ended.
if (isNode()) nodePort().then(serve);
else serve(browserPort);

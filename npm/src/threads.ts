// Threads: browsers, Deno and Bun have the same `Worker`; Node has its own.

/** What of a thread is used here. */
export type Thread = {
  post(message: unknown): void;
  end(): void;
};
export type Hears = { message(data: unknown): void; error(words: string): void };

type NodePort = { postMessage(message: unknown): void; on(event: 'message', listener: (message: unknown) => void): void };
type NodeWorker = {
  postMessage(message: unknown): void;
  terminate(): Promise<number>;
  unref(): void;
  on(event: 'message', listener: (data: unknown) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
};
type NodeThreads = { parentPort: NodePort | null; Worker: new (script: URL) => NodeWorker };

/** Whether this is Node itself, which has no `Worker` as browsers have it. */
export const isNode = (): boolean => typeof globalThis.Worker === 'undefined' && typeof self === 'undefined'
  || typeof (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node === 'string'
  && typeof (globalThis as { Bun?: unknown }).Bun === 'undefined'
  && typeof (globalThis as { Deno?: unknown }).Deno === 'undefined';

/** The name is not written out, so that no bundler takes it along. */
export const nodeThreads = (): Promise<NodeThreads> => {
  const name = 'node:worker_threads';
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name) as Promise<NodeThreads>;
};

/** Starts a thread with the script at an address; `make` starts it where a browser's own words do. */
export async function thread(make: () => Worker, script: URL, hears: Hears): Promise<Thread> {
  if (isNode()) return nodeThread(script, hears);
  const worker = make();
  worker.onmessage = ({ data }: MessageEvent<unknown>) => hears.message(data);
  worker.onerror = (event) => hears.error(event.message);
  // Deno and Bun end when nobody waits any more; a thread that only listens is nobody.
  (worker as { unref?: () => void }).unref?.();
  return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
}

async function nodeThread(script: URL, hears: Hears): Promise<Thread> {
  const { Worker } = await nodeThreads();
  const worker = new Worker(script);
  worker.on('message', hears.message);
  worker.on('error', (error) => hears.error(error.message));
  return { post: (message) => worker.postMessage(message), end: () => void worker.terminate() };
}

/** A worker from another host, as a script on a content network is: browsers only start threads of the page's own host, so the
    page's own script imports it. */
export function fromElsewhere(script: URL): Worker {
  const text = `import ${JSON.stringify(script.href)};`;
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const worker = new Worker(address, { type: 'module' });
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return worker;
}

// A lane is one worker and the jobs that wait for it. Outdated work is not waited for: aborting the job that runs ends
// the worker, and the next job starts a new one from modules that are compiled already. A job that needs a part of the
// engine which is not there waits for it, and is then asked of a new worker that has it.

import { arrived, part, PARTS } from './module';
import type { FromWorker, ToWorker } from './worker';

export type Progress = (used: number, allowed: number) => void;
/** Told when a job begins and ends to wait for the engine to be loaded. */
export type Waits = (waits: boolean) => void;

/** The engine broke off in the middle of a computation; the next one gets a fresh engine. */
export class Broken extends Error {
  override name = 'Broken';
}

type Job = {
  request: string;
  onprogress: Progress | undefined;
  onwait: Waits | undefined;
  resolve: (answer: string) => void;
  reject: (reason: unknown) => void;
};

export class Lane {
  #worker: Promise<Worker> | null = null;
  #running: Job | null = null;
  #waiting: Job[] = [];
  /** So many parts of the engine were needed so far: no worker starts with fewer. */
  #least = 1;

  run(request: string, signal?: AbortSignal, onprogress?: Progress, onwait?: Waits): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortion());
      const job = { request, onprogress, onwait, resolve, reject };
      signal?.addEventListener('abort', () => this.#abort(job), { once: true });
      this.#waiting.push(job);
      void this.#next();
    });
  }

  /** Starts the worker before it is needed. */
  warm() {
    this.#worker ??= this.#start();
    this.#worker.catch(() => (this.#worker = null));
  }

  async #next() {
    if (this.#running) return;
    const job = this.#waiting.shift();
    if (!job) return;
    this.#running = job;
    await this.#hand(job);
  }

  async #hand(job: Job) {
    try {
      this.warm();
      job.onwait?.(true);
      const worker = await this.#worker;
      job.onwait?.(false);
      if (this.#running === job) worker?.postMessage({ request: job.request } satisfies ToWorker);
    } catch (failure) {
      const words = 'The engine could not be loaded. Is there a connection?';
      this.#finish(job, () => job.reject(new Broken(words, { cause: failure })));
    }
  }

  async #start(): Promise<Worker> {
    // Its script comes while the engine is on its way.
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    worker.onerror = (event) => this.#hear({ broken: event.message, parts: PARTS });
    const needed = Array.from({ length: this.#least }, (_, number) => part(number));
    const add = (module: WebAssembly.Module) => worker.postMessage({ module } satisfies ToWorker);
    (await Promise.all(needed)).forEach(add);
    void this.#follow(needed.length, add);
    return worker;
  }

  /** Hands over what arrives later, in order. */
  async #follow(number: number, add: (module: WebAssembly.Module) => void) {
    for (; number < PARTS; number++) add(await arrived(number));
  }

  #hear(message: FromWorker) {
    const job = this.#running;
    if (!job) return;
    if ('used' in message) job.onprogress?.(message.used, message.allowed);
    else if ('answer' in message) this.#finish(job, () => job.resolve(message.answer));
    else if (message.parts < PARTS) {
      this.#least = message.parts + 1;
      this.#end();
      void this.#hand(job);
    } else {
      this.#end();
      const words = 'The computation broke off. This is a fault of ours; the engine has been started anew.';
      this.#finish(job, () => job.reject(new Broken(words, { cause: message.broken })));
    }
  }

  #abort(job: Job) {
    this.#waiting = this.#waiting.filter((other) => other !== job);
    if (this.#running === job) this.#end();
    this.#finish(job, () => job.reject(abortion()));
  }

  #end() {
    const ended = this.#worker;
    this.#worker = null;
    ended?.then((worker) => worker.terminate()).catch(() => {});
    this.warm();
  }

  #finish(job: Job, settle: () => void) {
    if (this.#running === job) this.#running = null;
    settle();
    void this.#next();
  }
}

const abortion = () => new DOMException('no longer wanted', 'AbortError');

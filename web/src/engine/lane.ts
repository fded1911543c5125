// A lane is one worker and the jobs that wait for it. Outdated work is not waited for: aborting the job that runs ends
// the worker, and the next job starts a new one from the module that is compiled already.

import { compiled } from './module';
import type { FromWorker, ToWorker } from './worker';

export type Progress = (used: number, allowed: number) => void;

/** The engine broke off in the middle of a computation; the next one gets a fresh engine. */
export class Broken extends Error {
  override name = 'Broken';
}

type Job = {
  request: string;
  onprogress: Progress | undefined;
  resolve: (answer: string) => void;
  reject: (reason: unknown) => void;
};

export class Lane {
  #worker: Promise<Worker> | null = null;
  #running: Job | null = null;
  #waiting: Job[] = [];

  run(request: string, signal?: AbortSignal, onprogress?: Progress): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortion());
      const job = { request, onprogress, resolve, reject };
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
    try {
      this.warm();
      const worker = await this.#worker;
      if (this.#running === job) worker?.postMessage({ request: job.request } satisfies ToWorker);
    } catch (failure) {
      this.#finish(job, () => job.reject(new Broken(String(failure))));
    }
  }

  async #start(): Promise<Worker> {
    const module = await compiled;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    worker.onerror = (event) => this.#hear({ broken: event.message });
    worker.postMessage({ module } satisfies ToWorker);
    return worker;
  }

  #hear(message: FromWorker) {
    const job = this.#running;
    if (!job) return;
    if ('used' in message) job.onprogress?.(message.used, message.allowed);
    else if ('answer' in message) this.#finish(job, () => job.resolve(message.answer));
    else {
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

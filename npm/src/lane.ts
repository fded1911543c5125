// A lane is one worker and the jobs that wait for it. Outdated work is not waited for: aborting the job that runs ends
// the worker, and the next job starts a new one from modules that are compiled already. A job that needs a part of the
// engine which is not there waits for it, and is then asked of a new worker that has it.

import type { Progress } from './instance.js';
import type { Parts } from './parts.js';
import { fromElsewhere, thread, type Thread } from './threads.js';
import type { FromWorker } from './worker.js';

export type { Progress };
/** Told when a job begins and ends to wait for the engine to be loaded. */
export type Waits = (waits: boolean) => void;

/** The engine broke off in the middle of a computation; the next one gets a fresh engine. */
export class Broken extends Error {
  override name = 'Broken';
}

/** The computation needs more stack than its thread has, which is a matter of the program and of the host. */
export class TooDeep extends Broken {
  override name = 'TooDeep';

  constructor(cause: unknown) {
    super('The program nests too deeply for the stack of this thread. Name parts of it with `let`.', { cause });
  }
}

/** Whether it was the stack that ended: each engine of JavaScript says it in its own words. */
export const isDeep = (trap: unknown): boolean => /call stack|too much recursion/i.test(String(trap));

type Job = {
  request: string;
  onprogress: Progress | undefined;
  onwait: Waits | undefined;
  resolve: (answer: string) => void;
  reject: (reason: unknown) => void;
};

/** Where this script is. By a name of its own: bundlers take along what stands beside `import.meta.url` itself. */
const here = import.meta.url;

/** Starts the worker's script. Its address stands here in full: that is how bundlers find it. */
function start(): Worker {
  const elsewhere = typeof location !== 'undefined' && here.startsWith('http') && new URL(here).origin !== location.origin;
  return elsewhere ? fromElsewhere(new URL('./worker.js', here)) : new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
}

export class Lane {
  #parts: Parts;
  #worker: Promise<Thread> | null = null;
  #running: Job | null = null;
  #waiting: Job[] = [];
  /** So many parts of the engine were needed so far: no worker starts with fewer. */
  #least = 1;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  run(request: string, signal?: AbortSignal, onprogress?: Progress, onwait?: Waits): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(reason(signal));
      const job = { request, onprogress, onwait, resolve, reject };
      signal?.addEventListener('abort', () => this.#abort(job, signal), { once: true });
      this.#waiting.push(job);
      void this.#next();
    });
  }

  /** Starts the worker before it is needed. */
  warm() {
    this.#worker ??= this.#start();
    this.#worker.catch(() => (this.#worker = null));
  }

  /** Ends the worker. Jobs that wait are rejected. */
  close() {
    for (const job of [...this.#waiting, this.#running]) job?.reject(new DOMException('the engine was closed', 'AbortError'));
    this.#waiting = [];
    this.#running = null;
    this.#forget();
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
      if (this.#running === job) worker?.post({ request: job.request });
    } catch (failure) {
      const words = 'The engine could not be loaded. Is there a connection?';
      this.#finish(job, () => job.reject(new Broken(words, { cause: failure })));
    }
  }

  async #start(): Promise<Thread> {
    // Its script comes while the engine is on its way. What an ended worker still says is not heard.
    let heard = true;
    const worker = await thread(start, new URL('./worker.js', here), {
      message: (data) => heard && this.#hear(data as FromWorker),
      error: (words) => heard && this.#hear({ broken: words, parts: this.#parts.count }),
    });
    const ended = { post: worker.post, end: () => ((heard = false), worker.end()) };
    const needed = Array.from({ length: this.#least }, (_, number) => this.#parts.part(number));
    (await Promise.all(needed)).forEach((module) => worker.post({ module }));
    void this.#follow(needed.length, worker, () => heard);
    return ended;
  }

  /** Hands over what arrives later, in order. */
  async #follow(number: number, worker: Thread, wanted: () => boolean) {
    for (; number < this.#parts.count; number++) {
      const module = await this.#parts.arrived(number);
      if (!wanted()) return;
      worker.post({ module });
    }
  }

  #hear(message: FromWorker) {
    const job = this.#running;
    if (!job) return;
    if ('used' in message) job.onprogress?.(message.used, message.allowed);
    else if ('answer' in message) this.#finish(job, () => job.resolve(message.answer));
    else if (isDeep(message.broken)) {
      this.#end();
      this.#finish(job, () => job.reject(new TooDeep(message.broken)));
    } else if (message.parts < this.#parts.count) {
      this.#least = message.parts + 1;
      this.#end();
      void this.#hand(job);
    } else {
      this.#end();
      const words = 'The computation broke off. This is a fault of ours; the engine has been started anew.';
      this.#finish(job, () => job.reject(new Broken(words, { cause: message.broken })));
    }
  }

  #abort(job: Job, signal: AbortSignal) {
    const runs = this.#running === job;
    if (!runs && !this.#waiting.includes(job)) return;
    this.#waiting = this.#waiting.filter((other) => other !== job);
    if (runs) this.#end();
    this.#finish(job, () => job.reject(reason(signal)));
  }

  #forget() {
    const ended = this.#worker;
    this.#worker = null;
    ended?.then((worker) => worker.end()).catch(() => {});
  }

  #end() {
    this.#forget();
    this.warm();
  }

  #finish(job: Job, settle: () => void) {
    if (this.#running === job) this.#running = null;
    settle();
    void this.#next();
  }
}

/** Why it was aborted: `AbortSignal.timeout` says that it was the time. */
const reason = (signal: AbortSignal): unknown => signal.reason ?? new DOMException('no longer wanted', 'AbortError');

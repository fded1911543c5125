// The engine's code. It comes in parts: the first has what the first programs need; the others follow when the first answer is
// there, or as soon as somebody lacks them. Each is compiled once, and every thread gets the same compiled modules.

/** Where a part is: its address, its bytes, or the part itself. */
export type Place = URL | string | BufferSource | WebAssembly.Module;

/** Told when a part begins to come, and when it is there; `answer` may be read along with. */
export type Watcher = {
  begin?(part: number): void;
  done?(part: number): void;
  count?(answer: Response, part: number): Promise<void>;
};

/** The parts that travel with this package. */
const OWN = [
  new URL('../wasm/astragal_first.wasm', import.meta.url),
  new URL('../wasm/astragal_often.wasm', import.meta.url),
  new URL('../wasm/astragal_last.wasm', import.meta.url),
];

export class Parts {
  #places: readonly Place[];
  #watcher: Watcher;
  #begun: (Promise<WebAssembly.Module> | undefined)[] = [];
  #arrivals;

  /** Those of this package, unless others are named. */
  constructor(places: readonly Place[] = OWN, watcher: Watcher = {}) {
    this.#places = places;
    this.#watcher = watcher;
    this.#arrivals = places.map(() => later<WebAssembly.Module>());
  }

  /** How many there are. */
  get count(): number {
    return this.#places.length;
  }

  /** A part; it is fetched if nobody has. After a failure, the next who asks tries again. */
  part(number: number): Promise<WebAssembly.Module> {
    const coming = (this.#begun[number] ??= this.#fetched(number));
    coming.then(this.#arrivals[number]!.resolve, () => (this.#begun[number] = undefined));
    return coming;
  }

  /** A part, for those who can do without it until somebody has fetched it. */
  arrived(number: number): Promise<WebAssembly.Module> {
    return this.#arrivals[number]!.promise;
  }

  /** All parts, one after the other: the first is needed first. */
  async all(): Promise<WebAssembly.Module[]> {
    const parts = [];
    for (let number = 0; number < this.count; number++) parts.push(await this.part(number));
    return parts;
  }

  /** All parts at once, for those who can begin with nothing less. */
  together(): Promise<WebAssembly.Module[]> {
    return Promise.all(this.#places.map((_, number) => this.part(number)));
  }

  async #fetched(number: number): Promise<WebAssembly.Module> {
    const place = this.#places[number]!;
    if (place instanceof WebAssembly.Module) return place;
    if (typeof place !== 'string' && !(place instanceof URL)) return WebAssembly.compile(place);
    const address = new URL(place, import.meta.url);
    if (address.protocol === 'file:') return WebAssembly.compile(await fileAt(address));
    this.#watcher.begin?.(number);
    try {
      // A browser's cache may fail on a file that is stored for offline use at the same time; the second try goes past it.
      return await this.#compile(address, number).catch(() => this.#compile(address, number, 'reload'));
    } finally {
      this.#watcher.done?.(number);
    }
  }

  async #compile(address: URL, number: number, cache: RequestCache = 'default'): Promise<WebAssembly.Module> {
    const answer = await fetch(address, { cache, priority: number ? 'low' : 'high' });
    if (!answer.ok) throw new Error(`the engine could not be loaded: ${address.pathname} (${answer.status})`);
    this.#watcher.count?.(answer, number).catch(() => {});
    const streams = answer.headers.get('content-type')?.startsWith('application/wasm');
    return streams ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
  }
}

/** In Node, Deno and Bun a package lies on the disk. The name is not written out, so that no bundler takes it along. */
async function fileAt(address: URL): Promise<BufferSource> {
  const files = 'node:fs/promises';
  const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ files)) as {
    readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
  };
  return readFile(address);
}

/** A promise that somebody else keeps. */
export type Later<T> = { promise: Promise<T>; resolve: (value: T) => void };

export function later<T>(): Later<T> {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((kept) => (resolve = kept));
  return { promise, resolve };
}

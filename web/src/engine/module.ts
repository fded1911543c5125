// The engine's code. It comes in parts (see xtask/glue/src/split): the first has what the first programs need and is fetched at
// once; the others follow, one after the other, when the first answer is there, or as soon as somebody lacks them. Each is
// compiled once while it streams in, and every thread gets the same compiled modules.

import first from '../pkg/astragal_wasm_bg.wasm?url';
import often from '../pkg/astragal_often.wasm?url';
import last from '../pkg/astragal_last.wasm?url';
import { later } from './later';
import { count, loading } from './loading';

const ADDRESSES = [first, often, last];
/** How many parts there are. */
export const PARTS = ADDRESSES.length;

const begun: (Promise<WebAssembly.Module> | undefined)[] = [];
const arrivals = ADDRESSES.map(() => later<WebAssembly.Module>());

async function compile(number: number, cache: RequestCache = 'default'): Promise<WebAssembly.Module> {
  loading.begin(number);
  const response = await fetch(ADDRESSES[number]!, { cache, priority: number ? 'low' : 'high' });
  if (!response.ok) throw new Error(`the engine could not be loaded (${response.status})`);
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  count(response, number).catch(() => {});
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** A part; it is fetched if nobody has. After a failure, the next who asks tries again. */
export function part(number: number): Promise<WebAssembly.Module> {
  // The browser's cache may fail on a file that is stored for offline use at the same time; the second try goes past it.
  const fetched = () => compile(number).catch(() => compile(number, 'reload'));
  const coming = (begun[number] ??= fetched().finally(() => loading.done(number)));
  coming.then(arrivals[number]!.resolve, () => (begun[number] = undefined));
  return coming;
}

/** A part, for those who can do without it until somebody has fetched it. */
export const arrived = (number: number): Promise<WebAssembly.Module> => arrivals[number]!.promise;

/** All parts, one after the other. */
export async function all(): Promise<WebAssembly.Module[]> {
  const parts = [];
  for (let number = 0; number < PARTS; number++) parts.push(await part(number));
  return parts;
}

part(0).catch(() => {}); // whoever needs it hears of it

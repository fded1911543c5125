// The engine's code, which comes in parts (see the npm package's parts.ts): the first has what the first programs need and is
// fetched at once; the others follow, one after the other, when the first answer is there, or as soon as somebody lacks them.

import { Parts } from 'astragal/pieces';
import { count, loading } from './loading';

export const parts = new Parts(undefined, { begin: loading.begin, done: loading.done, count });
/** How many parts there are. */
export const PARTS = parts.count;

parts.part(0).catch(() => {}); // whoever needs it hears of it

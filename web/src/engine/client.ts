// The page's way to the engine. Long work (odds, rolls, files) goes to workers: one lane for odds and one for rolls, so
// that a roll never waits for long odds. Quick questions of the editor are answered here, on the main thread.

import init, { answer } from '../pkg/astragal_wasm.js';
import { Lane, type Progress } from './lane';
import { compiled } from './module';
import type { AnswerOf, QuickRequest, Request } from './types';

export { Broken } from './lane';

const lanes = { odds: new Lane(), roll: new Lane() };
lanes.odds.warm();

let here = false;
/** Resolves when quick questions can be answered. */
export const ready: Promise<void> = compiled.then(async (module) => {
  await init({ module_or_path: module });
  here = true;
});
ready.catch(() => {}); // whoever waits for it hears of it; a page without colours is still a page

export type Options = { signal?: AbortSignal; onprogress?: Progress; lane?: keyof typeof lanes };

/** Asks a worker. Rejects with an AbortError when aborted, with `Broken` when the engine breaks off. */
export async function ask<R extends Request>(request: R, options: Options = {}): Promise<AnswerOf<R>> {
  const lane = options.lane ?? (request.ask === 'roll' ? 'roll' : 'odds');
  const text = JSON.stringify(request);
  return JSON.parse(await lanes[lane].run(text, options.signal, options.onprogress)) as AnswerOf<R>;
}

/** Asks the engine on the main thread; null while it is not there yet, or when it breaks off. */
export function quick<R extends QuickRequest>(request: R): AnswerOf<R> | null {
  if (!here) return null;
  try {
    return JSON.parse(answer(JSON.stringify(request))) as AnswerOf<R>;
  } catch {
    return null;
  }
}

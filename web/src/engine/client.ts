// The page's way to the engine. Long work (odds, rolls, files) goes to workers: one lane for odds and one for rolls, so
// that a roll never waits for long odds. Quick questions of the editor are answered here, on the main thread, by the whole
// engine: what comes after the first answer is not in its way.

import { Broken, Instance, Lane, later, type Progress, type Waits } from 'astragal/pieces';
import { PARTS, parts } from './module';
import type { AnswerOf, OddsAnswer, OddsRequest, QuickRequest, Request } from './types';

export { Broken };

const lane = () => new Lane(parts);
const lanes = { odds: lane(), roll: lane(), whatif: lane(), views: lane() };
lanes.odds.warm();

const firstAnswer = later<void>();
/** Resolves when the first question is answered; what can wait waits for it. */
export const answered: Promise<void> = firstAnswer.promise;
void answered.then(() => whole());

const here = new Instance();
let complete = false;
/** Resolves when quick questions can be answered. */
export const ready: Promise<void> = parts.arrived(PARTS - 1).then(async () => {
  for (const module of await parts.all()) await here.add(module);
  complete = true;
});
ready.catch(() => {}); // whoever waits for it hears of it; a page without colours is still a page

/** The same, for those who cannot begin without it. */
export function whole(): Promise<void> {
  parts.all().catch(() => {});
  return ready;
}

export type Options = { signal?: AbortSignal; onprogress?: Progress; onwait?: Waits; lane?: keyof typeof lanes };

/** Asks a worker. Rejects with an AbortError when aborted, with `Broken` when the engine breaks off. */
export async function ask<R extends Request>(request: R, options: Options = {}): Promise<AnswerOf<R>> {
  const lane = options.lane ?? laneOf(request);
  const text = JSON.stringify(request);
  const told = lanes[lane].run(text, options.signal, options.onprogress, options.onwait);
  // Who was aborted is asked again; who broke off waits no longer.
  told.then(() => firstAnswer.resolve(), (failure) => failure instanceof Broken && firstAnswer.resolve());
  const answer = JSON.parse(await told) as AnswerOf<R>;
  if (request.ask === 'odds') remember(request, answer as OddsAnswer);
  return answer;
}

/** Results whose rows were left out know how to ask for them. */
function remember(question: OddsRequest, answer: OddsAnswer) {
  if (!answer.ok) return;
  answer.results.forEach((result, number) => (result.asked = { question, number }));
}

/** Rolls, and what is looked at beside the odds, wait for nobody's odds. */
function laneOf({ ask }: Request): keyof typeof lanes {
  if (ask === 'roll' || ask === 'decide') return 'roll';
  return ask === 'joint' || ask === 'rolls' ? 'views' : 'odds';
}

/** Asks the engine on the main thread; null while it is not there yet, or when it breaks off. */
export function quick<R extends QuickRequest>(request: R): AnswerOf<R> | null {
  if (!complete) {
    void whole();
    return null;
  }
  try {
    return JSON.parse(here.answerNow(JSON.stringify(request))) as AnswerOf<R>;
  } catch {
    return null;
  }
}

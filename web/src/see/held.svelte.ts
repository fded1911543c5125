// Rows that an answer has left out. Of hundreds of results a few are drawn; the rows of the others are asked for when
// somebody wants to see them, and are then known.

import { ask } from '../engine/client';
import type { Result, Row } from '../engine/types';

type Asked = NonNullable<Result['asked']>;

/** The rows of a result, or null while they are on their way. */
const known = new WeakMap<Asked, Row[] | null>();
/** Counts arrivals, so that whoever looks sees the next one. */
let arrivals = $state(0);

async function fetchRows(asked: Asked) {
  known.set(asked, null);
  const answer = await ask({ ...asked.question, ask: 'rows', result: asked.number });
  if (!answer.ok) return;
  known.set(asked, answer.rows);
  arrivals++;
}

/** The results with their rows, without those whose rows are still on their way. */
export function inFull(results: Result[]): Result[] {
  void arrivals;
  return results.flatMap((result) => {
    const { asked, held } = result;
    if (!held || !asked) return [result];
    // One that does not come is not drawn; the list beside the chart says what is known of it.
    if (!known.has(asked)) void fetchRows(asked).catch(() => known.delete(asked));
    const rows = known.get(asked);
    return rows ? [{ ...result, rows, held: false }] : [];
  });
}

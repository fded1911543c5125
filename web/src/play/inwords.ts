// What a rule calls its outcomes for itself, as players say them: `a`, `b` and `tie` of a contest are "A wins", "B wins" and
// "a tie". Words only; what is shared, exported or opened in the editor keeps the names of the language.

import type { FunctionDoc, Result } from '../engine/types';
import type { Shown } from '../roll/pools';

/** A rule, or at least what it calls its results. */
type Words = Partial<Pick<FunctionDoc, 'outcomes' | 'parts'>>;

export function resultsInWords(results: Result[], { outcomes = {}, parts = {} }: Words): Result[] {
  if (Object.keys({ ...outcomes, ...parts }).length === 0) return results;
  return results.map((result) => ({
    ...result,
    called: result.field ? parts[result.field] : undefined,
    rows: result.kind === 'name' ? result.rows.map((row) => ({ ...row, label: outcomes[row.label] ?? row.label })) : result.rows,
  }));
}

export function valueInWords(value: Shown, words: Words): Shown {
  if (typeof value === 'string') return words.outcomes?.[value] ?? value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [words.parts?.[name] ?? name, name in (words.parts ?? {}) ? held : valueInWords(held, words)]),
  );
}

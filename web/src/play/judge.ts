// The notes of a rule about the rows of a table: which of them do not count, and why. Notes call a row as it is written
// here, "+2 morale (bless)", and begin with it; one that was raised on the way is followed under its new name.

import type { Value, Values } from './values';

/** Why a row does not count; empty if it does. */
export type Verdict = string;

export function verdicts(rows: Values[], notices: string[]): Verdict[] {
  const left = [...notices];
  const reasons = new Array<Verdict>(rows.length).fill('');
  // Of equal rows the first counts, so the last ones take the notes.
  for (let place = rows.length - 1; place >= 0; place--) {
    const names = aliases(called(rows[place]!), notices);
    const found = left.findIndex((note) => names.some((name) => note.startsWith(`${name} does not `)));
    if (found < 0) continue;
    const [note] = left.splice(found, 1);
    reasons[place] = note!.slice(note!.indexOf(' does not ') + 1);
  }
  return reasons;
}

/** The names that a row goes by: its own, and what it "becomes". */
function aliases(name: string, notices: string[]): string[] {
  const raised = notices.find((note) => note.startsWith(`${name} becomes `));
  const after = raised?.slice(`${name} becomes `.length).split(' by ')[0];
  return after ? [name, after] : [name];
}

function called(row: Values): string {
  const text = (value: Value | undefined) => (typeof value === 'string' ? value.trim() : '');
  const value = text(row.value);
  const sign = Number(value) > 0 && !value.startsWith('+') ? '+' : '';
  const kind = text(row.kind) && ` ${text(row.kind)}`;
  const source = text(row.source) && ` (${text(row.source)})`;
  return `${sign}${value}${kind}${source}`;
}

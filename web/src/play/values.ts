// What a form holds: JSON, so that an address can carry it. Numbers and rolls are kept as the text that was typed,
// since `15` and `d20 + 5` may stand in the same place.

import type { FunctionDoc, Parameter } from '../engine/types';
import { argumentsOf, literal } from './literal';

export type Value = string | boolean | Value[] | { [name: string]: Value };
export type Values = Record<string, Value>;

/** A form before anybody touched it: the defaults of the rule, and for the rest the values of its example. */
export function initial(rule: FunctionDoc): Values {
  const shown = argumentsOf(rule.example ?? '', rule.parameters.map((one) => one.name));
  const begin = (one: Parameter) =>
    one.default === null ? (one.words.start ?? shown[one.name] ?? empty(one)) : usual(one);
  return Object.fromEntries(rule.parameters.map((one) => [one.name, begin(one)]));
}

/** The value that a rule takes when nothing is said. */
export function usual(one: { default: string | null; kind: Parameter['kind'] }): Value {
  return one.default === null ? empty(one) : literal(one.default);
}

/** What an empty field of this kind holds. */
export function empty({ kind }: { kind: Parameter['kind'] }): Value {
  if (kind === 'truth') return false;
  if (kind === 'numbers' || kind === 'texts' || kind === 'records') return [];
  return kind === 'record' ? {} : '';
}

/** The values of an address, which anybody may have written: what does not fit the rule is left out. */
export function restored(rule: FunctionDoc, found: Record<string, unknown>): Values {
  const values = initial(rule);
  for (const one of rule.parameters) {
    const value = found[one.name];
    if (isValue(value) && sameShape(value, empty(one))) values[one.name] = value;
  }
  return values;
}

/** A number, a text or a list may also come from another rule, which is a record then. */
function sameShape(value: Value, like: Value): boolean {
  return isWorkedOut(value) || (typeof value === typeof like && Array.isArray(value) === Array.isArray(like));
}

/** A value that another rule of the system works out: a pool from Attribute and Skill. */
export type WorkedOut = { from: string; values: Values };
export const isWorkedOut = (value: Value | undefined): value is WorkedOut =>
  isRecord(value) && typeof value.from === 'string' && isRecord(value.values);

/** Begins to work a value out. A list begins with the number that stood there. */
export function workOut(rule: FunctionDoc, number: string): WorkedOut {
  const [first] = rule.parameters;
  const row = first?.kind === 'numbers' ? number : first?.fields[0] && { [first.fields[0].name]: number };
  const isList = first?.kind === 'numbers' || first?.kind === 'records';
  return { from: rule.name, values: first && isList && row && number ? { [first.name]: [row] } : {} };
}

export const isRecord = (value: unknown): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isValue(found: unknown): found is Value {
  if (typeof found === 'string' || typeof found === 'boolean') return true;
  if (Array.isArray(found)) return found.every(isValue);
  return isRecord(found) && Object.values(found).every(isValue);
}

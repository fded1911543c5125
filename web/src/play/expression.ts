// The expression that a form stands for. What equals the rule's default is not written, so the expression stays as
// short as a player would write it.

import type { Field, FunctionDoc, Parameter, System } from '../engine/types';
import { isRecord, isWorkedOut, usual, type Value, type Values } from './values';

/** `cofd.action(7, again: 9)`, or the name of a field that is still empty. */
export type Written = { call: string } | { missing: string };

export function call(system: System, rule: FunctionDoc, values: Values): Written {
  const written: string[] = [];
  for (const one of rule.parameters) {
    const value = values[one.name] ?? usual(one);
    if (one.default === null) {
      const text = argument(system, one, value);
      if (text === '') return { missing: one.name };
      written.push(text);
    } else if (!isUsual(one, value)) {
      const text = argument(system, one, value);
      if (text !== '') written.push(`${one.name}: ${text}`);
    }
  }
  return { call: `${system.name}.${rule.name}(${written.join(', ')})` };
}

/** Whether a value is what the rule takes anyway. */
export const isUsual = (one: Pick<Parameter, 'default' | 'kind'>, value: Value) =>
  one.default !== null && JSON.stringify(value) === JSON.stringify(usual(one));

function argument(system: System, one: Parameter, value: Value): string {
  if (isWorkedOut(value)) return workedOut(system, value.from, value.values);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${items(one, value).join(', ')}]`;
  if (isRecord(value)) return record(one.fields, value);
  return one.kind === 'variant' || one.kind === 'text' ? quoted(value) : value.trim();
}

function workedOut(system: System, from: string, values: Values): string {
  const rule = system.functions.find((other) => other.name === from);
  const written = rule && call(system, rule, values);
  return written && 'call' in written ? written.call : '';
}

function items(one: Parameter, list: Value[]): string[] {
  if (one.kind === 'records') return list.map((row) => record(one.fields, isRecord(row) ? row : {})).filter(Boolean);
  const texts = list.filter((item) => typeof item === 'string').map((item) => item.trim()).filter(Boolean);
  return one.kind === 'texts' ? texts.map(quoted) : texts;
}

/** A record without the fields that have their defaults; nothing if a field that it needs is empty. */
function record(fields: Field[], value: Values): string {
  const written: string[] = [];
  for (const field of fields) {
    const held = value[field.name] ?? '';
    const text = typeof held === 'boolean' ? String(held) : fieldText(field, String(held).trim());
    if (text === '' && !field.optional && field.default === null) return '';
    if (text !== '' && !isUsual(field, held)) written.push(`${field.name}: ${text}`);
  }
  return written.length ? `{${written.join(', ')}}` : '';
}

function fieldText(field: Field, text: string): string {
  const isText = field.kind === 'text' || field.kind === 'variant';
  return isText && text !== '' ? quoted(text) : text;
}

/** A text as the language writes it; a brace would begin a calculation. */
const quoted = (text: string) => `"${text.replaceAll(/["\\{]/g, '\\$&')}"`;

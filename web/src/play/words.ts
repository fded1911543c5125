// Words for the forms of the shipped systems: titles as players say them, the choices of a number that has few, the
// range of a stepper, which fields come first. Words only, never rules: a rule without an entry here gets a good form
// from its documentation alone, and no entry can change what is rolled.

import type { FunctionDoc, Parameter, System } from '../engine/types';
import { spoken } from '../roll/outcome';
import { cofd } from './words/cofd';
import { crucible } from './words/crucible';
import { kaiser } from './words/kaiser';
import { srd } from './words/srd';
import { stormchaser } from './words/stormchaser';

export type ParameterWords = {
  title?: string;
  help?: string;
  min?: number;
  max?: number;
  /** What the form begins with, where the example alone would make a strange beginning. */
  start?: string;
  choices?: { value: string; title: string }[];
  /** The names of variants as players say them. */
  variants?: Record<string, string>;
  tone?: 'good' | 'bad';
  /** The rule of the same system that can work this value out. */
  from?: string;
  /** The words for the fields of a record. */
  fields?: Record<string, ParameterWords>;
  /** Suggestions for the texts of a table's column. */
  suggestions?: Record<string, string[]>;
  /** The rule's notes tell which rows do not count. */
  judged?: boolean;
};
export type RuleWords = {
  title?: string;
  first?: string[];
  parameters?: Record<string, ParameterWords>;
  /** The outcomes and the parts of the result as players say them. */
  outcomes?: Record<string, string>;
  parts?: Record<string, string>;
};
export type SystemWords = { title: string; about: string; die: string; rules: Record<string, RuleWords> };

/** The shipped systems by their names. */
export const WORDS: Record<string, SystemWords> = { stormchaser, srd, cofd, crucible, kaiser };

/** The words for a rule: its system's own, or for a house rule those of the shipped rule it was copied from. */
export function ruleWords(system: System, rule: FunctionDoc): RuleWords {
  if (system.built_in) return WORDS[system.name]?.rules[rule.name] ?? {};
  const names = rule.parameters.map((one) => one.name);
  const candidates = Object.values(WORDS).map((words) => words.rules[rule.name]);
  const knows = (words?: RuleWords) => names.every((name) => words?.parameters?.[name]);
  return candidates.find(knows) ?? {};
}

/** The rules as players look for them; rules without words stay in their place, behind. */
export function inOrder(system: System): FunctionDoc[] {
  const known = Object.keys((system.built_in && WORDS[system.name]?.rules) || {});
  const rank = (rule: FunctionDoc) => (known.includes(rule.name) ? known.indexOf(rule.name) : known.length);
  return system.functions.toSorted((a, b) => rank(a) - rank(b));
}

export const ruleTitle = (system: System, rule: FunctionDoc) => ruleWords(system, rule).title ?? spoken(rule.name);
export const parameterWords = (words: RuleWords, one: Parameter): ParameterWords => words.parameters?.[one.name] ?? {};

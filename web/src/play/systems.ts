// The systems that can be played: the shipped ones and the reader's own files, with what their documentation says.

import { quick } from '../engine/client';
import type { FunctionDoc, Source, System } from '../engine/types';
import { spoken } from '../roll/outcome';

export type Choice = { system: System; rule: FunctionDoc };

/** All systems that have a documented rule. */
export function systemsOf(files: Record<string, string>): System[] {
  const answer = quick({ ask: 'systems', files: { ...files } });
  return (answer?.systems ?? []).filter((system) => system.functions.length > 0);
}

/** The rule of `cofd.action`; the first rule of all if there is no such rule. */
export function find(systems: System[], call: string | undefined): Choice | null {
  const [name, wanted] = call?.split('.') ?? [];
  const system = systems.find((one) => one.name === name) ?? systems[0];
  const rule = system?.functions.find((one) => one.name === wanted) ?? system?.functions[0];
  return system && rule ? { system, rule } : null;
}

export const callOf = ({ system, rule }: Choice) => `${system.name}.${rule.name}`;
const fileOf = (system: System) => `${system.name}.dice`;

/** A call as a program: a rule from a file needs the file. */
export function programOf(system: System, files: Record<string, string>, call: string): Source {
  return system.built_in ? { text: call } : { text: `use "${fileOf(system)}"\n${call}`, files: { ...files } };
}

/** A copy of a shipped system under a free name, and the program that calls it. */
export function houseRule(system: System, files: Record<string, string>, call: string) {
  const source = quick({ ask: 'source', system: system.name });
  if (!source) return null;
  let name = 'house';
  for (let number = 2; `${name}.dice` in files; number++) name = `house_${number}`;
  const text = `use "${name}.dice"\n${call.replaceAll(`${system.name}.`, `${name}.`)}`;
  return { text, files: { [`${name}.dice`]: source.text } };
}

/** A copy of a shipped file opens with the same line as the file: the reader's own are called as they named them. */
export const titleOf = (system: System) => (system.built_in ? system.title : spoken(system.name));
export const aboutOf = (system: System) => (system.built_in ? sentence(system.about) : 'Your own rules');
/** The die that the game is played with: the first that its description names. */
export const dieOf = (system: System) => /d\d+/.exec(`${system.title} ${system.about}`)?.[0] ?? 'd6';
/** As a caption: with a capital, without its full stop. */
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '');

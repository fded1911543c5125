// What the engine knows of a roll: its dice as pools with those that were dropped, and how likely it was. It works in the page's
// threads, one roll after the other, the newest first; nothing waits for it.

import { ask } from '../engine/client';
import type { RollAnswer, Result, Source } from '../engine/types';
import { TELLING } from '../roll/outcome';
import type { Shown } from '../roll/pools';
import type { Dice, Inputs } from './events';
import type { Fell } from './story';

export type Replay = RollAnswer & { ok: true };
/** "35.5% of rolls are this or more". */
export type Likely = { percent: string; words: string };

/** A table's odds are a remark beside a roll: so many steps, and not one more. */
const STEPS = 40_000_000;
const MOST_KEPT = 500;

/** The program of a roll as the engine takes it: house rules before it, inputs that it only names declared. */
function source(text: string, inputs: Inputs, rules: string | null, declared: string[]): Source {
  const params = inputs.filter(([name]) => declared.includes(name)).map(([name, value]) => `param ${name} = ${value}\n`);
  return { text: `${rules ? `${rules}\n` : ''}${params.join('')}${text}`, inputs: Object.fromEntries(inputs) };
}

/** Asks for a roll of given faces, declaring what must be. */
async function replayed(text: string, inputs: Inputs, rules: string | null, faces: string, declared: string[] = []): Promise<Replay | null> {
  const answer = await ask({ ask: 'roll', faces, ...source(text, inputs, rules, declared) }, { lane: 'roll' });
  if (answer.ok) return answer;
  const lacking = unknown(answer.diagnostics, inputs).filter((name) => !declared.includes(name));
  return lacking.length ? replayed(text, inputs, rules, faces, [...declared, ...lacking]) : null;
}
const unknown = (diagnostics: { code: string; message: string }[], inputs: Inputs) =>
  inputs.map(([name]) => name).filter((name) => diagnostics.some(({ code, message }) => code === 'unknown-name' && message.includes(`\`${name}\``)));

/** The faces of throws: the side is the face, but for the die of minus, nothing and plus. */
const faces = (dice: Dice, fudge: boolean) =>
  dice.flatMap(([sides, ...shown]) => shown.map((side) => (fudge && sides === 3 ? side - 2 : side))).join(',');

/** The roll with all that happened to its dice; null where the engine cannot tell it again as it was. */
export function replay(text: string, inputs: Inputs, rules: string | null, { dice, outcome }: Fell, typed: string | null): Promise<Replay | null> {
  return later(async () => {
    for (const shown of typed !== null ? [typed] : [faces(dice, false), faces(dice, true)]) {
      const answer = await replayed(text, inputs, rules, shown).catch(() => null);
      if (answer && valueOf(answer) === outcome[1]) return answer;
    }
    return null;
  });
}

/** As the log writes it. */
function valueOf({ roll }: Replay): string {
  const told = (value: Shown): string => {
    if (value === true) return 'yes';
    if (value === false) return 'no';
    if (Array.isArray(value)) return `[${value.map(told).join(', ')}]`;
    if (typeof value === 'object' && value !== null) return `{${Object.entries(value).map(([name, held]) => `${name}: ${told(held)}`).join(', ')}}`;
    return String(value);
  };
  return told(roll.value as Shown);
}

const answers = new Map<string, Promise<Result[] | null>>();

function odds(text: string, inputs: Inputs, rules: string | null): Promise<Result[] | null> {
  const key = JSON.stringify([text, inputs, rules]);
  const there = answers.get(key);
  if (there) return there;
  if (answers.size > MOST_KEPT) answers.clear();
  const coming = later(async () => {
    for (const declared of [[], inputs.map(([name]) => name)]) {
      const answer = await ask({ ask: 'odds', steps: STEPS, ...source(text, inputs, rules, declared) }, { lane: 'odds' }).catch(() => null);
      if (answer?.ok) return answer.results;
      if (!answer || inputs.length === 0) return null;
    }
    return null;
  });
  answers.set(key, coming);
  return coming;
}

/** How likely what came up was, of what matters most in it. */
export async function likely(text: string, inputs: Inputs, rules: string | null, { values }: Replay): Promise<Likely | null> {
  const results = await odds(text, inputs, rules);
  if (!results || !values || results.length !== values.length) return null;
  const told = [...TELLING, 'total'].map((name) => results.findIndex((one) => one.field === name)).find((at) => at >= 0) ?? 0;
  const row = results[told]?.rows.find(({ label }) => label === values[told]);
  if (!row || results[told]!.rows.length < 2) return null;
  if (row.at_least) return { percent: row.at_least.percent.replace(/^100\.0+%$/, '100%'), words: 'of rolls are this or more' };
  return { percent: row.exactly.percent, words: 'of rolls end so' };
}

/** The newest job is done first: what was rolled just now is what people look at. */
const jobs: (() => Promise<void>)[] = [];
let works = false;
function later<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    jobs.push(() => work().then(resolve, reject));
    if (!works) void next();
  });
}
async function next() {
  works = true;
  // What else came up meanwhile is drawn first.
  for (let job = jobs.pop(); job; job = jobs.pop()) await job();
  works = false;
}

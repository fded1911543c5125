// What the engine answers: the objects that the command line prints with `--json`. Written by tools/types.mjs from docs/schema: change that instead.

// astragal odds EXPR --json
/** The exact distribution of a program: of its one result, or of each result named by `show`. */
export type Odds = {
  format: 1;
  expression: string;
  /** The answer to `--correlations`: of the fields that are numbers or truths (1 and 0), the covariance of each with each. */
  covariances?: { fields: string[]; matrix: (OddsFraction[])[] };
  /** Where somebody decides: each choice as it is written, and how best play makes it. */
  policy?: ({
  /** What there is to take: `keep or throw again`, `from 0..5`. */
  choice: string;
  who: 'player' | 'opponent';
  place: { source: string; start: number; end: number };
  /** Where a choice is come to by several calls and it matters by which: the how manyth this is, from 1. */
  time?: number;
  /** And of how many. */
  times?: number;
  /** What to take when, in words; the first that fits holds. Of few rules the commonest is the last; of many the most frequent come first. None if best play never comes to this choice. */
  rules: ({
  when: string;
  take: string;
  /** How often the rule applies in a play, in the mean; rounded to parts of 2^60 where play comes back to where it was, or the game is large. */
  chance: OddsFraction;
  decimal: OddsDecimal;
})[];
  /** How many rules are not listed. */
  rules_left_out?: number;
  /** The mean of the aim under best play: an exact fraction, or the bounds within which it lies; null where nothing is known of it, and then `unknown` says why. */
  value: null | OddsQuantity;
  /** Why there is no value, where there is none. */
  unknown?: string;
  /** What is lost in the mean by who always takes the same, wherever it is open: `infinite` where that is more than any number, `endless` where such a play never comes to an end and is worth nothing that can be told; null where it is not known. */
  loss: { [name: string]: null | 'infinite' | 'endless' | OddsFraction };
  /** The same as numbers. */
  decimals: {
  value: number | null | { from: OddsDecimal; to: OddsDecimal };
  loss: { [name: string]: number | null };
};
})[];
  /** The answers to `--chance`, in its order; of several results, all answers of the first come first. */
  asked?: ({ condition: string; chance: OddsFraction; decimal: OddsDecimal })[];
} & (OddsAnswer | { results: ({ name: string } & OddsAnswer)[] });
export type OddsAnswer = {
  type: string;
  outcomes: ({
  value: unknown;
  chance: OddsQuantity;
  /** The chance as a number; where it is known within bounds, both of them. */
  decimal: OddsDecimal | { from: OddsDecimal; to: OddsDecimal };
})[];
  rest: OddsQuantity;
  /** Of an AnyDice program: the chance that is lost on the way; part of the rest. */
  lost?: OddsQuantity;
  mean: OddsMoment;
  variance: OddsMoment;
  evidence: null | OddsQuantity;
  /** The same as numbers: null where there is none, or none that double precision can hold. */
  decimals: {
  rest: OddsDecimal;
  mean: number | null;
  variance: number | null;
  evidence: number | null;
};
  notices: string[];
};
/** An exact fraction, or the bounds within which it lies. */
export type OddsQuantity = OddsFraction | OddsBounds;
/** As a quantity; null where it has no meaning. */
export type OddsMoment = null | 'infinite' | OddsQuantity;
/** The nearest number of double precision, worked out exactly: 0 only where the fraction is below 3e-324. */
export type OddsDecimal = number;
export type OddsFraction = string;
export type OddsBounds = { from: OddsFraction; to: OddsFraction };

// astragal roll EXPR --json
export type Roll = {
  format: 1;
  expression: string;
  type: string;
  value: unknown;
  seed: number | null;
  /** Which roll of the seed it is, from 1: `--seed SEED --roll NUMBER` replays it. The library counts from 0: `Seeded::new(seed, number - 1)`. Null where there is no seed. */
  number?: number | null;
  dice: RollDie[];
  steps: ({
  text: string;
  value: unknown;
  /** Of a choice: what could be taken, and what each is worth; null where that is not known. */
  options?: ({ take: string; value: unknown })[];
  /** Of a choice: which of them is best, if that is known. */
  best?: string | null;
})[];
  labels: { [name: string]: unknown };
  notices: string[];
};
export type RollDie = {
  id: number;
  sides: number;
  face: unknown;
  value: unknown;
  fate: ('kept' | 'dropped' | 'rerolled' | 'exploded' | 'clamped' | 'counted')[];
  from: number | null;
  label: string | null;
};

// astragal sweep EXPR NAME=VALUES --json
/** The inputs of each point, and its values by their title: the chance of a yes, of a variant or of a condition, or a mean. */
export type Sweep = {
  format: 1;
  expression: string;
  points: ({
  inputs: { [name: string]: unknown };
  values: { [name: string]: unknown };
  /** The same values as the nearest numbers of double precision. */
  decimals: { [name: string]: unknown };
})[];
};

// astragal solve EXPR NAME [NAME] [--chance TARGET | --mean TARGET] --json
/** The values of an input whose chance, or whose mean, reaches the target, what every value has, and the values that the program refuses; with a second input, one such answer for each of its values. */
export type Solution = SolutionAnswer | { format: 1; expression: string; answers: (SolutionAnswer & { given: unknown })[] };
export type SolutionAnswer = {
  format: 1;
  expression: string;
  input: string;
  goal: 'at least' | 'at most';
  chance?: SolutionFraction;
  mean?: SolutionFraction;
  decimal: SolutionDecimal;
  direction: 'falling' | 'rising' | 'neither';
  solutions: SolutionValue[];
  points: ({
  value: SolutionValue;
  chance?: SolutionFraction;
  mean?: SolutionFraction;
  decimal: SolutionDecimal;
})[];
  refused: SolutionValue[];
  /** The second input with its value. */
  given?: { [name: string]: unknown };
};
/** The nearest number of double precision, worked out exactly: 0 only where the fraction is below 3e-324. */
export type SolutionDecimal = number;
export type SolutionFraction = string;
export type SolutionValue = number | string;

// astragal compare EXPR EXPR --json
/** Each program's odds, as `odds.json` says, and for each pair of numbers the chances that one is higher. */
export type Comparison = {
  format: 1;
  programs: ({ [name: string]: unknown })[];
  duels: ({
  first: string;
  second: string;
  first_higher: ComparisonFraction;
  equal: ComparisonFraction;
  second_higher: ComparisonFraction;
  /** The same chances as the nearest numbers of double precision. */
  decimals: { first_higher: number; equal: number; second_higher: number };
})[];
};
export type ComparisonFraction = string;

// A conversion by astragal
/** What `convert --json` says. A text that cannot be converted is answered with diagnostics. */
export type Conversion = {
  format: 1;
  from: 'roll20' | 'foundry' | 'avrae' | 'rpg-dice-roller' | 'dicemaiden' | 'anydice' | 'astragal';
  text: string;
  astragal: string;
};

// astragal systems [NAME] --json
/** The rule systems that are built in, one of them, or one function of one (`systems cofd.action`). */
export type Systems = { format: 1; systems: SystemsSystem[] };
export type SystemsSystem = {
  name: string;
  doc: string | null;
  functions: SystemsFunction[];
  enumerations: SystemsEnumeration[];
};
export type SystemsFunction = {
  name: string;
  /** How it is called: `cofd.action(pool, again: number = 10)`. */
  signature: string;
  parameters: SystemsParameter[];
  doc: string | null;
};
export type SystemsParameter = {
  name: string;
  /** It takes a roll unthrown. */
  roll: boolean;
  type: string | null;
  /** As it is written; null where the parameter must be given. */
  default: string | null;
};
export type SystemsEnumeration = { name: string; variants: string[]; doc: string | null };

// What the page and the engine say to each other. Written by tools/types.mjs from docs/schema: change that instead.

export type View = 'exactly' | 'at_least' | 'at_most';
/** A program, the files beside it, and the inputs that were set. */
export type Source = { text: string; files?: { [name: string]: string }; inputs?: { [name: string]: string } };
/** `until`: list endless results at least up to this number. */
export type OddsRequest = {
  ask: 'odds';
  steps?: number;
  until?: string;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
/** The rows of a result that were held: the same question, and which result. */
export type RowsRequest = {
  ask: 'rows';
  result: number;
  steps?: number;
  until?: string;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
export type ConvertRequest = {
  ask: 'convert';
  steps?: number;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
export type RollRequest = {
  ask: 'roll';
  seed?: string;
  faces?: string;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
/** A roll in which a person decides: what was taken so far; `judge` also asks what everything is worth. */
export type DecideRequest = {
  ask: 'decide';
  choices: string[];
  judge?: boolean;
  seed?: string;
  faces?: string;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
export type ExportFormat = 'csv' | 'json' | 'svg' | 'markdown';
export type ExportRequest = {
  ask: 'export';
  as: ExportFormat;
  view: View;
  steps?: number;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
/** The program rolled many times. */
export type RollsRequest = {
  ask: 'rolls';
  count: number;
  seed?: string;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
/** `result` is the name after `show`; `across` and `down` are fields, whose pairs are then counted. */
export type JointRequest = {
  ask: 'joint';
  result?: string;
  across?: string;
  down?: string;
  steps?: number;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
/** A chart as SVG; `field` is a part of a record. */
export type PictureRequest = {
  ask: 'picture';
  view: View;
  theme?: 'light' | 'dark' | 'viewer';
  field?: string;
  title?: string;
  width?: number;
  height?: number;
  steps?: number;
  until?: string;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
export type ChatPlace = 'markdown' | 'reddit' | 'discord';
/** The odds as text for a chat. */
export type CopyRequest = {
  ask: 'copy';
  for: ChatPlace;
  link: string;
  view: View;
  steps?: number;
  until?: string;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
/** How numbers change with inputs, `over` being such as `bonus=0..10`; `that` asks for the chance of a condition besides. */
export type SweepRequest = {
  ask: 'sweep';
  over: string[];
  that?: string;
  steps?: number;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
/** Which value of an input brings the number called `of` to `target`, or to the number called `versus`. */
export type SolveRequest = {
  ask: 'solve';
  over: string[];
  of: string;
  target?: string;
  versus?: string;
  at_most?: boolean;
  that?: string;
  steps?: number;
  text: string;
  files?: { [name: string]: string };
  inputs?: { [name: string]: string };
};
export type TokensRequest = { ask: 'tokens'; text: string };
export type CompleteRequest = { ask: 'complete'; text: string; at: number; files?: { [name: string]: string } };
/** What a roll at a table comes to, by its key. `throws` and `steps` are the limits of the table; the first of `names` is the name of the first of `values`. */
export type ThrownRequest = {
  ask: 'thrown';
  text: string;
  names: string[];
  values: string[];
  rules?: string | null;
  key: string;
  throws: number;
  steps: number;
};
/** How lucky rolls at a table were: those that the viewer has seen. `value` is what the log says that a roll came to; `throws` and `steps` are the limits of the table. */
export type LuckRequest = { ask: 'luck'; rolls: SeenRoll[]; throws: number; steps: number };
export type SeenRoll = {
  line: number;
  seat: number;
  text: string;
  names: string[];
  values: string[];
  rules?: string | null;
  key: string;
  value?: string | null;
};
export type FormatRequest = { ask: 'format'; text: string };
export type SystemsRequest = { ask: 'systems'; files?: { [name: string]: string } };
export type SourceRequest = { ask: 'source'; system: string };
/** UTF-16 units of the text it speaks of, as JavaScript counts. */
export type Place = { start: number; end: number };
/** `source` is "program" or a file's name; the first label is the primary one. */
export type Label = { source: string; place: Place; text: string };
export type Edit = { source: string; place: Place; replacement: string };
export type Fix = { title: string; edits: Edit[] };
export type Diagnostic = {
  severity: 'error' | 'over-budget' | 'hint' | 'notice';
  code: string;
  message: string;
  labels: Label[];
  help: string[];
  fixes: Fix[];
  /** The very text that the terminal prints. */
  rendered: string;
};
/** `fraction` is exact, or empty where its text would be too long; `value` is for drawing alone. */
export type Chance = { fraction: string; percent: string; one_in: string; value: number };
export type Row = {
  label: string;
  value: number | null;
  exactly: Chance;
  at_least: Chance | null;
  at_most: Chance | null;
};
export type Quantity = { exact: string; text: string; value: number };
export type Percentile = { percent: number; label: string };
/** A record gives one result a field, and `field` names it. `rest` is the exact chance of what is not listed. */
export type Result = {
  name: string | null;
  field: string | null;
  type: string;
  kind: 'number' | 'truth' | 'name' | 'other';
  /** Whether its rows are left out; they can be asked for. */
  held: boolean;
  rows: Row[];
  shown_of: number;
  rest: Chance | null;
  lost: Chance | null;
  mean: Quantity | null;
  variance: Quantity | null;
  deviation: string | null;
  percentiles: Percentile[];
  notices: string[];
  /** The whole in one sentence, for those who hear the page. */
  sentence: string;
};
export type Range = { from: number; to: number; step: number };
export type Input = {
  name: string;
  type: string;
  kind: 'number' | 'truth' | 'name' | 'text' | 'other';
  doc: string | null;
  value: string;
  default: string;
  variants: string[];
  suggested: Range | null;
};
/** `over_budget`: the only reason is that it costs too much. */
export type Refusal = { ok: false; over_budget: boolean; diagnostics: Diagnostic[] };
/** The language that a program is written in, as the engine recognises it. */
export type Language = 'astragal' | 'anydice';
export type Rule = { when: string; take: string };
export type Loss = { always: string; loses: string };
/** How to play a choice, in the words of the terminal; the first choice of a game says what the game is worth. */
export type Policy = {
  title: string | null;
  value: string | null;
  choice: string;
  rules: Rule[];
  rules_of: number;
  losses: Loss[];
};
export type OddsAnswer = {
  ok: true;
  inputs: Input[];
  results: Result[];
  policy: Policy[];
  hints: Diagnostic[];
  used: number;
  allowed: number;
  language?: Language;
  /** Somebody decides in the program. */
  decides?: boolean;
} | {
  ok: false;
  over_budget: boolean;
  diagnostics: Diagnostic[];
  inputs: Input[];
  /** How many steps to allow next, where that helps. */
  more?: number | null;
  language?: Language;
  /** Somebody decides in the program. */
  decides?: boolean;
};
export type RowsAnswer = { ok: true; rows: Row[] } | Refusal;
/** The object that `astragal roll --json` prints, see roll.json. */
export type RollJson = { [name: string]: unknown };
export type Shown = number | string | boolean | null | Shown[] | { [name: string]: Shown };
export type RollDie = {
  /** Which die: "d6", "d%", "dF"; empty for the member of a group, which stands for a total. */
  die: string;
  sides: number | null;
  face: Shown;
  shows: Shown;
  /** All faces of a compounded die. */
  throws: Shown[];
  dropped: boolean;
  rerolled: boolean;
  exploded: boolean;
  clamped: boolean;
  for: number;
  against: number;
  /** The die of this pool that it exploded from or took the place of. */
  from: number | null;
  label: string | null;
};
/** The dice of one throw, as they fell. */
export type RollPool = { name: string | null; words: string; depth: number; total: Shown; dice: RollDie[] };
export type RollOption = { label: string; worth: string | null };
export type Taken = { opponent: boolean; taken: number; best: number | null; options: RollOption[] };
/** What was taken between two throws, of what, and what each is worth where that is known. */
export type RollChoice = { choice: Taken };
export type RollStep = RollPool | RollChoice;
export type RollAnswer = {
  ok: true;
  roll: RollJson;
  lines: string[];
  sentence: string;
  seed: string | null;
  hints: Diagnostic[];
  pools: RollStep[];
  /** What came up, one entry for each result of the odds. */
  values?: string[];
} | Refusal;
export type Known = { name: string; value: string };
export type Option = { label: string; worth: Quantity | null };
/** What there is to take; what it is worth and which is best is null unless it was asked for and is known. */
export type Question = { opponent: boolean; known: Known[]; options: Option[]; best: number | null };
export type DecideAnswer = RollAnswer | { ok: true; question: Question; pools: RollStep[]; seed: string | null };
export type ExportAnswer = { ok: true; name: string; mime: string; content: string } | Refusal;
/** How often an outcome came up. */
export type Counted = { label: string; times: number };
export type Counts = { counts: Counted[]; mean: number | null };
export type RollsAnswer = {
  ok: true;
  /** How many rolls were made. */
  count: number;
  seed: string;
  /** One entry for each result of the odds. */
  results: Counts[];
} | Refusal;
export type Correlation = { text: string; value: number };
/** `same` tells for each field the first one that is always equal to it; a correlation is null where nothing varies. */
export type Moments = { fields: string[]; same: (number | null)[]; correlations: ((Correlation | null)[])[] };
/** The chances of the pairs of two fields. */
export type PairMap = { across: string[]; down: string[]; cells: ((Chance | null)[])[]; rest: Chance | null };
export type JointAnswer = { ok: true; moments: Moments | null; map?: PairMap | null } | Refusal;
export type PictureAnswer = { ok: true; content: string } | Refusal;
export type CopyAnswer = { ok: true; text: string } | Refusal;
/** `exact` is empty where it would be too long. */
export type Measured = { value: number; text: string; short: string; exact: string };
/** One number at all points, the last input fastest; `asked` is the chance that was asked for. */
export type Measure = { title: string; chance: boolean; asked: boolean; values: (Measured | null)[] };
export type Axis = { name: string; values: string[] };
export type SweepAnswer = {
  ok: true;
  inputs: Axis[];
  measures: Measure[];
  /** At how many points the program is refused. */
  refused: number;
  why: string | null;
} | Refusal;
/** A value and what the number is there. */
export type Told = { value: string; said: string; met: boolean };
export type SolveAnswer = { ok: true; headline: string; solutions: string[]; told: Told[]; refused: number } | Refusal;
export type TokenKind = 'number' | 'dice' | 'suffix' | 'keyword' | 'name' | 'function' | 'text' | 'comment' | 'label' | 'operator' | 'wrong';
export type Token = { start: number; end: number; kind: TokenKind };
export type TokensAnswer = { tokens: Token[] };
export type Completion = { label: string; detail: string };
export type CompleteAnswer = { from: number; options: Completion[] };
export type FormatAnswer = { ok: true; text: string } | { ok: false; over_budget?: boolean; diagnostics: Diagnostic[] };
/** Throws as a log writes them, `[[6,3,4]]`; the outcome, `["value","7"]`; the hash of the rules that are built in. */
export type ThrownAnswer = { dice: (number[])[]; outcome: string[]; library: string };
/** `percent` of such rolls are that or more (the luckiest), that or less (the unluckiest). */
export type LuckyRoll = { line: number; seat: number; text: string; value: string; percent: string };
/** The places of rolls among all that they could have come to, added up: `sum`, where `expected` is average. */
export type LuckTally = {
  seat?: number;
  rolls: number;
  words: string;
  of_a_hundred: number;
  sum: string;
  expected: string;
  deviations: string;
  luckiest: LuckyRoll | null;
  unluckiest: LuckyRoll | null;
};
/** A roll that does not count, and why. */
export type LuckOther = { line: number; seat: number; why: string; words: string };
export type LuckAnswer = { ok: true; seats: LuckTally[]; all: LuckTally; others: LuckOther[]; meaning: string };
export type SourceAnswer = { text: string };
export type Variant = { name: string; title: string | null };
export type Choice = { value: string; title: string };
/** What players call a parameter or a field and how it is asked: the `Form:` lines of its file. */
export type Words = {
  title: string | null;
  min: number | null;
  max: number | null;
  /** What the form begins with, where the example would make a strange beginning. */
  start: string | null;
  /** The few values that a number has. */
  choices: Choice[];
  /** Whether more of it helps or hurts. */
  tone: 'good' | 'bad' | null;
  /** The rule of the same system that can work this value out. */
  from: string | null;
  /** The rule's notes tell which rows do not count. */
  judged: boolean;
  /** What may be typed, among other things. */
  suggestions: string[];
};
export type Field = {
  name: string;
  kind: 'number' | 'truth' | 'text' | 'other' | 'variant';
  type: string;
  optional: boolean;
  default: string | null;
  variants: Variant[];
  help: string;
  words: Words;
};
export type Parameter = {
  name: string;
  type: string | null;
  kind: 'number' | 'truth' | 'variant' | 'numbers' | 'texts' | 'text' | 'roll' | 'records' | 'record' | 'other';
  default: string | null;
  variants: Variant[];
  help: string;
  fields: Field[];
  words: Words;
};
export type FunctionDoc = {
  name: string;
  title: string | null;
  doc: string;
  about: string;
  example: string | null;
  parameters: Parameter[];
  /** The parameters that are asked at once, in their order. */
  first: string[];
  /** The parts of the result as players call them. */
  parts: { [name: string]: string };
  /** The outcomes as players call them. */
  outcomes: { [name: string]: string };
  main: boolean;
};
export type System = {
  name: string;
  title: string;
  about: string;
  built_in: boolean;
  functions: FunctionDoc[];
};
export type SystemsAnswer = { systems: System[]; diagnostics: Diagnostic[] };

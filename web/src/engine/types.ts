// What the page and the engine say to each other: one request, one answer, both JSON. The engine's side is the crate
// `page`; all positions count UTF-16 units of the text they speak of, as JavaScript does.

import type { RollPool } from '../roll/pools';

export type Source = { text: string; files?: Record<string, string>; inputs?: Record<string, string> };
export type View = 'exactly' | 'at_least' | 'at_most';

export type OddsRequest = { ask: 'odds'; steps?: number; until?: string } & Source;
export type ConvertRequest = { ask: 'convert'; steps?: number } & Source;
export type RollRequest = { ask: 'roll'; seed?: string; faces?: string } & Source;
export type ExportFormat = 'csv' | 'json' | 'svg' | 'markdown';
export type ExportRequest = { ask: 'export'; as: ExportFormat; view: View; steps?: number } & Source;
export type TokensRequest = { ask: 'tokens'; text: string };
export type CompleteRequest = { ask: 'complete'; text: string; at: number; files?: Record<string, string> };
export type FormatRequest = { ask: 'format'; text: string };
export type SystemsRequest = { ask: 'systems'; files?: Record<string, string> };
export type SourceRequest = { ask: 'source'; system: string };

/** Requests that are answered within a frame, on the main thread. */
export type QuickRequest = TokensRequest | CompleteRequest | FormatRequest | SystemsRequest | SourceRequest;
export type Request = OddsRequest | ConvertRequest | RollRequest | ExportRequest | QuickRequest;

export type AnswerOf<R extends Request> = R extends OddsRequest
  ? OddsAnswer
  : R extends ConvertRequest
    ? FormatAnswer
    : R extends RollRequest
    ? RollAnswer
    : R extends ExportRequest
      ? ExportAnswer
      : R extends TokensRequest
        ? TokensAnswer
        : R extends CompleteRequest
          ? CompleteAnswer
          : R extends FormatRequest
            ? FormatAnswer
            : R extends SystemsRequest
              ? SystemsAnswer
              : SourceAnswer;

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
/** A record gives one result a field, and `field` names it. `rest` is the exact chance of what is not listed. */
export type Result = {
  name: string | null;
  field: string | null;
  type: string;
  kind: 'number' | 'truth' | 'name' | 'other';
  rows: Row[];
  shown_of: number;
  rest: Chance | null;
  lost: Chance | null;
  mean: Quantity | null;
  variance: Quantity | null;
  deviation: string | null;
  percentiles: { percent: number; label: string }[];
  notices: string[];
  /** The whole in one sentence, for those who hear the page. */
  sentence: string;
};
export type Input = {
  name: string;
  type: string;
  kind: 'number' | 'truth' | 'name' | 'text' | 'other';
  doc: string | null;
  value: string;
  default: string;
  variants: string[];
  suggested: { from: number; to: number; step: number } | null;
};

export type Refusal = { ok: false; over_budget: boolean; diagnostics: Diagnostic[] };
/** The language that a program is written in, as the engine recognises it. */
export type Language = 'astragal' | 'anydice';
export type OddsAnswer = { language?: Language } & (
  | { ok: true; inputs: Input[]; results: Result[]; hints: Diagnostic[]; used: number; allowed: number }
  | (Refusal & { inputs: Input[] })
);
/** `roll` is the object that `astragal roll --json` prints, documented in docs/schema/roll.json. */
export type RollJson = Record<string, unknown>;
export type RollAnswer =
  | {
      ok: true;
      roll: RollJson;
      lines: string[];
      sentence: string;
      seed: string | null;
      hints: Diagnostic[];
      /** The dice as they fell, pool by pool, for drawing. */
      pools?: RollPool[];
    }
  | Refusal;
export type ExportAnswer = { ok: true; name: string; mime: string; content: string } | Refusal;

export type TokenKind =
  'number' | 'dice' | 'suffix' | 'keyword' | 'name' | 'function' | 'text' | 'comment' | 'label' | 'operator' | 'wrong';
export type TokensAnswer = { tokens: { start: number; end: number; kind: TokenKind }[] };
export type CompleteAnswer = { from: number; options: { label: string; detail: string }[] };
export type FormatAnswer = { ok: true; text: string } | { ok: false; diagnostics: Diagnostic[] };
export type SourceAnswer = { text: string };

export type SystemsAnswer = { systems: System[]; diagnostics: Diagnostic[] };
export type System = {
  name: string;
  title: string;
  about: string;
  built_in: boolean;
  functions: FunctionDoc[];
};
export type FunctionDoc = {
  name: string;
  doc: string;
  about: string;
  example: string | null;
  parameters: Parameter[];
  main: boolean;
};
export type Parameter = {
  name: string;
  type: string | null;
  kind: 'number' | 'truth' | 'variant' | 'numbers' | 'texts' | 'text' | 'roll' | 'records' | 'record' | 'other';
  default: string | null;
  variants: { name: string; doc: string | null }[];
  help: string;
  fields: Field[];
};
export type Field = {
  name: string;
  kind: 'number' | 'truth' | 'text' | 'other' | 'variant';
  type: string;
  optional: boolean;
  default: string | null;
  variants: string[];
};

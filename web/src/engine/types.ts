// What the page and the engine say to each other: one request, one answer, both JSON. The engine's side is the crate
// `page`; the types are those of docs/schema/page.json, which its answers are held against. Here stands which answer belongs
// to which request.

import type * as said from './said';
import type {
  CompleteAnswer,
  CompleteRequest,
  ConvertRequest,
  DecideAnswer,
  DecideRequest,
  ExportAnswer,
  ExportRequest,
  FormatAnswer,
  FormatRequest,
  OddsRequest,
  RollAnswer,
  RollRequest,
  RowsAnswer,
  RowsRequest,
  SourceAnswer,
  SourceRequest,
  SystemsAnswer,
  SystemsRequest,
  TokensAnswer,
  TokensRequest,
} from './said';
import type { Source } from './said';
import type { ViewAnswer, ViewRequest } from './views';

export type * from './said';

/** A result whose rows are held knows how to ask for them. `called`: what people call the field, where the language calls it
    otherwise. */
export type Result = said.Result & { asked?: { question: OddsRequest; number: number }; called?: string | undefined };
type Answered<A> = A extends { results: said.Result[] } ? Omit<A, 'results'> & { results: Result[] } : A;
export type OddsAnswer = Answered<said.OddsAnswer>;

/** How numbers change with inputs, `over` being such as `bonus=0..10`; which value of one is enough. Answered to whatif/. */
export type SweepRequest = { ask: 'sweep'; over: string[]; that?: string; steps?: number } & Source;
export type SolveRequest = {
  ask: 'solve';
  over: string[];
  of: string;
  target?: string;
  versus?: string;
  at_most?: boolean;
  that?: string;
  steps?: number;
} & Source;
export type WhatIfRequest = SweepRequest | SolveRequest;

/** Requests that are answered within a frame, on the main thread. */
export type QuickRequest = TokensRequest | CompleteRequest | FormatRequest | SystemsRequest | SourceRequest;
export type Request = OddsRequest | RowsRequest | ConvertRequest | RollRequest | DecideRequest | ExportRequest | WhatIfRequest | ViewRequest | QuickRequest;

export type AnswerOf<R extends Request> = R extends ViewRequest
  ? ViewAnswer<R>
  : R extends OddsRequest
  ? OddsAnswer
  : R extends RowsRequest
  ? RowsAnswer
  : R extends ConvertRequest
    ? FormatAnswer
    : R extends RollRequest
    ? RollAnswer
    : R extends DecideRequest
    ? DecideAnswer
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

// What the page and the engine say to each other: one request, one answer, both JSON. The engine's side is the crate
// `page`; the types are those of docs/schema/page.json, which its answers are held against, as the npm package has them. Here
// stands which answer belongs to which request.

import type * as said from 'astragal/said';

export type * from 'astragal/said';

/** A result whose rows are held knows how to ask for them. `called`: what people call the field, where the language calls it
    otherwise. */
export type Result = said.Result & { asked?: { question: said.OddsRequest; number: number }; called?: string | undefined };
type Answered<A> = A extends { results: said.Result[] } ? Omit<A, 'results'> & { results: Result[] } : A;
export type OddsAnswer = Answered<said.OddsAnswer>;

type Answers = {
  odds: [said.OddsRequest, OddsAnswer];
  rows: [said.RowsRequest, said.RowsAnswer];
  roll: [said.RollRequest, said.RollAnswer];
  rolls: [said.RollsRequest, said.RollsAnswer];
  decide: [said.DecideRequest, said.DecideAnswer];
  joint: [said.JointRequest, said.JointAnswer];
  sweep: [said.SweepRequest, said.SweepAnswer];
  solve: [said.SolveRequest, said.SolveAnswer];
  picture: [said.PictureRequest, said.PictureAnswer];
  copy: [said.CopyRequest, said.CopyAnswer];
  export: [said.ExportRequest, said.ExportAnswer];
  convert: [said.ConvertRequest, said.FormatAnswer];
  tokens: [said.TokensRequest, said.TokensAnswer];
  complete: [said.CompleteRequest, said.CompleteAnswer];
  format: [said.FormatRequest, said.FormatAnswer];
  systems: [said.SystemsRequest, said.SystemsAnswer];
  source: [said.SourceRequest, said.SourceAnswer];
  thrown: [said.ThrownRequest, said.ThrownAnswer];
  luck: [said.LuckRequest, said.LuckAnswer];
};
export type Request = Answers[keyof Answers][0];
export type AnswerOf<R extends Request> = Answers[R['ask']][1];
/** Requests that are answered within a frame, on the main thread. */
export type QuickRequest = Answers['tokens' | 'complete' | 'format' | 'systems' | 'source'][0];
/** The answer to a request, if it is not refused. */
export type Good<A> = Extract<A, { ok: true }>;

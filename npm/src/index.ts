// Astragal: dice for tabletop games. Roll them with everything explained, or know their exact odds.

export { Astragal, load, type LoadOptions } from './engine.js';
export { Fraction } from './fraction.js';
export { Broken, type Progress } from './lane.js';
export type { Place } from './parts.js';
export { Program, type SampleOptions } from './program.js';
export { AstragalError } from './refusal.js';
export { Remote, type Waiting } from './remote.js';
export type {
  CompareOptions, Notation, OddsOptions, PictureOptions, RollOptions, SolveOptions, Source, SweepOptions, Values,
} from './requests.js';
export type { CompleteAnswer, Completion, Diagnostic, Edit, Fix, Label, Token, TokenKind } from './said.js';
export type * from './shapes.js';

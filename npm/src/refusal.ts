// A program that is wrong, or costs too much.

import type { Diagnostic } from './said.js';

/** Thrown where there is no answer. `message` is what the terminal prints: the line, the place, and what to do. */
export class AstragalError extends Error {
  override name = 'AstragalError';
  /** Of the first diagnostic: "unknown-name", "over-budget", … */
  readonly code: string;
  /** Only the budget stands in the way: `steps` allows more. */
  readonly overBudget: boolean;
  /** All that is to be said, with places in UTF-16 units and ways to mend the text. */
  readonly diagnostics: Diagnostic[];

  constructor(diagnostics: Diagnostic[], overBudget: boolean) {
    super(diagnostics.map(({ rendered, message }) => rendered || message).join('\n\n') || 'there is no answer');
    this.code = diagnostics[0]?.code ?? 'unknown';
    this.overBudget = overBudget;
    this.diagnostics = diagnostics;
  }
}

/** A refusal in the shape of the engine's own: nothing there looks at how much stack a thread of JavaScript has left. */
export function tooDeep(cause: unknown): AstragalError {
  const [message, help] = ['this nests too deeply for the stack of this thread', 'name parts of it with `let`'];
  const rendered = `error[too-deep]: ${message}\n  = help: ${help}`;
  const refusal = new AstragalError([{ severity: 'error', code: 'too-deep', message, labels: [], help: [help], fixes: [], rendered }], false);
  refusal.cause = cause;
  return refusal;
}

type Refusal = { diagnostics: Diagnostic[]; over_budget?: boolean };

/** An answer as it was told, or the error that it is. Only refusals have diagnostics and no format. */
export function accepted<T>(text: string): T {
  const told = JSON.parse(text) as T | Refusal;
  if (told && typeof told === 'object' && 'diagnostics' in told && !('format' in told)) {
    throw new AstragalError(told.diagnostics, told.over_budget ?? false);
  }
  return told as T;
}

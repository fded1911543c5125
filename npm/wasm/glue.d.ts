/** One copy of the engine. What it needs of JavaScript is its own, so that copies do not meet. */
export type Glue = {
  /** Starts the first part. */
  initSync(source: { module: WebAssembly.Module }): WebAssembly.Exports;
  /** One request as JSON, one answer as JSON. */
  answer(request: string, progress?: ((used: number, allowed: number) => void) | null): string;
  Program: new (request: string) => PreparedProgram;
};
/** A program that was read once. */
export type PreparedProgram = {
  refusal(): string | undefined;
  answer(request: string): string;
  sample(count: number, seed?: bigint | null): Float64Array | string;
  free(): void;
};
/** A fresh copy, which nobody has started. */
export function glue(): Glue;

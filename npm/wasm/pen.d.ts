/** Charts as JSON; see crates/pen. Several texts are one text, a line each. */
export type PenGlue = {
  initSync(source: { module: WebAssembly.Module }): unknown;
  odds(
    names: string, labels: string, numbers: Float64Array, chances: Float64Array, written: string, said: string, view: string,
    from: number, end: number, first: number, least: number, mean: number | undefined,
    width: number, height: number, axes: string,
  ): string;
  lines(titles: string, values: string, scale: Float64Array, numbers: Float64Array, chance: boolean, width: number, height: number): string;
  swatch(at: number, mark: string): string;
  likely(chances: Float64Array, results: number): Uint32Array;
  heated(share: number): string;
  style(): string;
  tones(): number;
};
/** A fresh copy, which nobody has started. */
export function pen(): PenGlue;

/** An exact number, as the engine writes them: `"11/36"`, `"7/2"`, `"3"`. */
export class Fraction {
  readonly n: bigint;
  readonly d: bigint;

  constructor(text: string) {
    const parts = /^\s*(-?\d+)(?:\/(\d+))?\s*$/.exec(text);
    if (!parts || BigInt(parts[2] ?? 1) === 0n) throw new SyntaxError(`\`${text}\` is no fraction`);
    this.n = BigInt(parts[1]!);
    this.d = BigInt(parts[2] ?? 1);
  }

  /** The number nearest to it, however long it is. */
  valueOf(): number {
    const [n, d] = [Number(this.n), Number(this.d)];
    if (Number.isFinite(n) && Number.isFinite(d)) return n / d;
    // Both are too long for a number: what counts are their first digits.
    const shift = BigInt(Math.max(0, Math.max(bits(this.n), bits(this.d)) - 1000));
    return Number(this.n >> shift) / Number(this.d >> shift);
  }

  toString(): string {
    return this.d === 1n ? `${this.n}` : `${this.n}/${this.d}`;
  }
}

const bits = (n: bigint): number => (n < 0n ? -n : n).toString(16).length * 4;

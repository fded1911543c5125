// A promise that somebody else keeps.

export type Later<T> = { promise: Promise<T>; resolve: (value: T) => void };

export function later<T>(): Later<T> {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((kept) => (resolve = kept));
  return { promise, resolve };
}

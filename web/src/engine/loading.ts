// How much of the engine is still on its way, for those who wait for it.

type Listener = (share: number | null) => void;

/** Of each part that is on its way: how many bytes are there. */
const coming = new Map<number, number>();
const listeners = new Set<Listener>();
const tell = () => listeners.forEach((listener) => listener(loading.share));

/** How large the parts are when they are unpacked; the build knows. */
declare const __ENGINE_SIZES__: number[];

export const loading = {
  /** What is there of the part that is on its way, from 0 to 1; null when nothing is. */
  get share(): number | null {
    const shares = [...coming].map(([part, bytes]) => bytes / (__ENGINE_SIZES__[part] || Infinity));
    return shares.length ? Math.min(1, ...shares) : null;
  },
  begin(part: number) {
    coming.set(part, 0);
    tell();
  },
  done(part: number) {
    coming.delete(part);
    tell();
  },
  /** Calls `listener` whenever something changes, and once now; the result ends it. */
  watch(listener: Listener): () => void {
    listeners.add(listener);
    listener(loading.share);
    return () => void listeners.delete(listener);
  },
};

/** Counts a response while somebody else reads it, who keeps the original: a browser stores what it compiled with that. */
export async function count(response: Response, part: number): Promise<void> {
  for (const reader = response.clone().body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    const bytes = coming.get(part);
    if (done || bytes === undefined) return;
    coming.set(part, bytes + value.byteLength);
    tell();
  }
}

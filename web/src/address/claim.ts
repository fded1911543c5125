// A draft is written by one tab at a time: the tab that opens it holds a lock, and another that would open it too gets a
// copy. Where browsers have no locks, the newest writer counts.

let release = () => {};

/** Whether the draft is ours from now on; the one before is let go. */
export async function claim(id: string): Promise<boolean> {
  release();
  release = () => {};
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    const hold = (lock: Lock | null) => {
      resolve(lock !== null);
      return lock ? new Promise<void>((let_go) => (release = let_go)) : undefined;
    };
    navigator.locks.request(`astragal.draft.${id}`, { ifAvailable: true }, hold).catch(() => resolve(true));
  });
}

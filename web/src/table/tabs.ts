// One tab of a browser acts for a seat, the others look on. Where the browser has locks, one is held as long as the tab is open; at
// a plain http address, where it has none, the tab that was opened last acts. Neither is what keeps a number from being signed
// twice: that is how a seat is saved (kept.ts). They spare people the surprise.

/** Whether this tab acts for the seat of a table; `change` is told when that is given or lost later. `take`: whoever acts, it is
    this tab from now on. `look`: it only looks on as long as another one acts. */
export function hold(table: string, how: 'take' | 'look' | null, change: (acts: boolean) => void): Promise<boolean> {
  const name = `astragal-table-${table}`;
  return navigator.locks ? locked(name, how, change) : called(name, how, change);
}

function locked(name: string, how: 'take' | 'look' | null, change: (acts: boolean) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const kept = (tell: (acts: boolean) => void) => {
      tell(true);
      return new Promise<never>(() => {});
    };
    const lost = () => change(false);
    const queue = () => void navigator.locks.request(name, () => kept(change)).catch(lost);
    void navigator.locks.request(name, how === 'take' ? { steal: true } : { ifAvailable: true }, (lock) => {
      if (lock) return kept(resolve);
      resolve(false);
      // When the tab that acts is closed, this one goes on.
      queue();
      return undefined;
    }).catch(lost);
  });
}

async function called(name: string, how: 'take' | 'look' | null, change: (acts: boolean) => void): Promise<boolean> {
  const channel = new BroadcastChannel(name);
  channel.onmessage = () => change(false);
  if (how === 'look') return false;
  channel.postMessage('here');
  return true;
}

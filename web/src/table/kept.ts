// What a browser keeps of its tables, in IndexedDB: the device's state, the links of tables that were made here, when lines arrived.
// A state is written only over the one that it was made from: two tabs of one seat never sign one number twice, whatever else
// goes wrong (see `save`).

export type Seat = {
  table: string;
  /** What the device must not forget: its key, what it has signed, the newest head. */
  state: string;
  /** Who it is to the server. */
  token: string;
  /** Raised with every state. */
  version: number;
};
export type Own = {
  table: string;
  /** The links that the one who made the table was told. */
  links?: { owner?: string; player?: string; watch?: string };
  /** When lines arrived here. */
  times?: Record<number, number>;
  opened: number;
};

const open = once(() => new Promise<IDBDatabase>((resolve, reject) => {
  const request = indexedDB.open('astragal-tables', 1);
  request.onupgradeneeded = () => {
    for (const name of ['seats', 'tables']) request.result.createObjectStore(name, { keyPath: 'table' });
  };
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
}));

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make().catch((failure) => ((made = undefined), Promise.reject(failure))));
}

type Name = 'seats' | 'tables';
/** One transaction; `work` is told its store, and what it hands over is the result. */
async function within<T>(store: Name, mode: IDBTransactionMode, work: (store: IDBObjectStore, done: (value: T) => void) => void) {
  const database = await open();
  return new Promise<T>((resolve, reject) => {
    // A signed number must be on the disk before it is on the wire.
    const transaction = database.transaction(store, mode, { durability: 'strict' });
    let result: T;
    transaction.oncomplete = () => resolve(result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('this browser keeps nothing'));
    work(transaction.objectStore(store), (value) => (result = value));
  });
}

const read = <T>(store: Name, table: string) =>
  within<T | undefined>(store, 'readonly', (all, done) => {
    const request = all.get(table);
    request.onsuccess = () => done(request.result as T | undefined);
  });

export const seatAt = (table: string) => read<Seat>('seats', table);

/** Writes a state over the version that it was made from; false if another tab was quicker. */
export const save = (seat: Seat, over: number): Promise<boolean> =>
  within<boolean>('seats', 'readwrite', (all, done) => {
    const request = all.get(seat.table);
    request.onsuccess = () => {
      const mine = ((request.result as Seat | undefined)?.version ?? 0) === over;
      done(mine);
      if (mine) all.put(seat);
    };
  });

/** Gives a seat up: whoever comes back is somebody new. */
export const forget = (table: string) => within<void>('seats', 'readwrite', (all) => void all.delete(table));

export const own = (table: string) => read<Own>('tables', table);
export async function remember(table: string, change: Partial<Own>) {
  await within<void>('tables', 'readwrite', (all) => {
    const request = all.get(table);
    request.onsuccess = () => void all.put({ opened: 0, ...(request.result as Own | undefined), ...change, table });
  });
}
/** The tables that were open here, the newest first. */
export const known = () =>
  within<Own[]>('tables', 'readonly', (all, done) => {
    const request = all.getAll();
    request.onsuccess = () => done((request.result as Own[]).sort((a, b) => b.opened - a.opened));
  });

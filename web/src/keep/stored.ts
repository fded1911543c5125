// A list in the browser's storage, shared by all tabs. Whoever changes it reads it anew first, so that no tab writes over
// what another has kept. Storage may be full or forbidden; then the list lasts as long as the page, and who asks is told:
// from then on the page's own list counts, until it can be kept again.

export class Stored<T extends { id: string }> {
  #key: string;
  #check: (found: unknown) => T | null;
  #items: T[] = [];
  /** Whether there is something in the list that could not be kept. */
  #ahead = false;

  constructor(key: string, check: (found: unknown) => T | null, onchange: () => void) {
    this.#key = key;
    this.#check = check;
    this.#items = this.#read() ?? [];
    addEventListener('storage', (event) => {
      if (event.key !== key && event.key !== null) return;
      const kept = this.#read() ?? [];
      this.#items = this.#ahead ? distinct([...this.#items, ...kept]) : kept;
      onchange();
    });
  }

  get items(): T[] {
    return this.#items;
  }

  /** Changes the list; whether that could be kept. */
  change(how: (items: T[]) => T[]): boolean {
    const before = this.#ahead ? null : this.#read();
    this.#items = how(before ?? this.#items);
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#items));
      this.#ahead = false;
    } catch {
      this.#ahead = true;
    }
    return !this.#ahead;
  }

  #read(): T[] | null {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.#key) ?? '[]');
      const fits = (found: unknown) => {
        const item = this.#check(found);
        return item === null ? [] : [item];
      };
      return Array.isArray(kept) ? kept.flatMap(fits) : [];
    } catch {
      return null;
    }
  }
}

/** The first of those that have the same name. */
export function distinct<T extends { id: string }>(items: T[]): T[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** A name for something new that nothing else has. */
export const fresh = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

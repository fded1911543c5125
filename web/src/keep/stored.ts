// A list in the browser's storage, shared by all tabs. Whoever changes it reads it anew first, so that no tab writes over
// what another has kept. Storage may be full or forbidden; then the list lasts as long as the page, and who asks is told.

export class Stored<T> {
  #key: string;
  #check: (found: unknown) => T | null;
  #items: T[] = [];

  constructor(key: string, check: (found: unknown) => T | null, onchange: () => void) {
    this.#key = key;
    this.#check = check;
    this.#items = this.#read() ?? [];
    addEventListener('storage', (event) => {
      if (event.key !== key && event.key !== null) return;
      this.#items = this.#read() ?? [];
      onchange();
    });
  }

  get items(): T[] {
    return this.#items;
  }

  /** Changes the list; whether that could be kept. */
  change(how: (items: T[]) => T[]): boolean {
    this.#items = how(this.#read() ?? this.#items);
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#items));
      return true;
    } catch {
      return false;
    }
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

/** A name for something new that nothing else has. */
export const fresh = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

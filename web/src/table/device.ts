// The device's half of a table: it checks each line, keeps the keys, signs and testifies. All of that is done by crates/seat, in a
// small module of its own that speaks JSON; here is what the page says to it.

import type { Event, Role, Shown, Wish } from './events';

/** What is wrong: the code of an alarm, and where a line does not fit the code of that, in `in`. */
export type Trouble = { code: string; message: string; in?: string; expected?: string | null; found?: string | null };
/** Nothing that the house says from here on can be trusted: the device has stopped. */
export class Alarm extends Error {
  override name = 'Alarm';
  constructor(readonly trouble: Trouble) {
    super(trouble.message);
  }
}
/** Why the device does not sign. */
export class Unsigned extends Error {
  override name = 'Unsigned';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export type Took = { took: 'line' } & Event | { took: 'known' } | { took: 'gap'; next: number };
/** Something to send: below `/api/tables/{id}/`, the same bytes until the house has answered. */
export type Post = { path: string; body: string };
export type Status = {
  /** The number of the next line. */
  next: number;
  /** Its seat, once its line is there. */
  number: number | null;
  token: string | null;
  /** A request waits for its line. */
  waiting: boolean;
  /** Its seal is spent, or was made of a secret that is gone: a new one has to be laid. */
  needs_seal: boolean;
  /** Grows with everything that must not be forgotten. */
  version: number;
  kept: boolean;
  /** The line that asks witnesses, if one does. */
  ask: number | null;
};
type Answer = { status?: Status; send?: Post[] } & (
  | { ok: true; told: unknown }
  | { ok: false; alarm?: Trouble; refusal?: Trouble; error?: Trouble }
);

const NOBODY: Status = { next: 0, number: null, token: null, waiting: false, needs_seal: false, version: 0, kept: true, ask: null };

export class Device {
  /** How it stood when it last answered. */
  status: Status = NOBODY;
  /** What has to go to the house, and is kept. */
  send: Post[] = [];
  #answer: (request: string) => Promise<string>;

  /** `answer`: the module's door. */
  constructor(answer: (request: string) => Promise<string>) {
    this.#answer = answer;
  }

  look = (table: string) => this.#ask({ do: 'look', table });
  restore = (state: string) => this.#ask({ do: 'restore', state, fresh: fresh(32) });
  take = (line: string, head: string) => this.#ask<Took>({ do: 'take', line, head });
  /** What only this seat may see, as it came beside the log; checked against its line. */
  private = (details: object) => this.#ask<Shown>({ do: 'private', details });
  receipt = (receipt: string) => this.#ask({ do: 'receipt', receipt });
  stands = (seq: number, hash: string) => this.#ask({ do: 'stands', seq, hash });
  here = (here: boolean) => this.#ask({ do: 'here', here });
  sit = (name: string, role: Role) => this.#ask({ do: 'sit', fresh: fresh(80), name, role });
  wish = (wish: Wish) => this.#ask({ do: 'wish', fresh: fresh(48), wish });
  state = () => this.#ask<{ state: string | null; version: number }>({ do: 'state' });
  saved = (version: number) => this.#ask({ do: 'saved', version });
  /** The four words of a line, for a challenge that was spoken aloud. */
  aloud = (line: number, challenge: string) => this.#ask<string>({ do: 'aloud', line, challenge });
  /** Whether words are those of a hash. */
  said = (hash: string, salt: string, words: string) => this.#ask<boolean>({ do: 'said', hash, salt, words });

  async #ask<T = null>(request: object): Promise<T> {
    const answer = JSON.parse(await this.#answer(JSON.stringify(request))) as Answer;
    if (answer.status) this.status = answer.status;
    if (answer.send) this.send = answer.send;
    if (answer.ok) return answer.told as T;
    if (answer.alarm) throw new Alarm(answer.alarm);
    if (answer.refusal) throw new Unsigned(answer.refusal.code, answer.refusal.message);
    throw new Error(answer.error?.message ?? 'the device broke off');
  }
}

/** Of this browser's own source; at a plain http address too. */
const fresh = (bytes: number) =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

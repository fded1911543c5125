// What a seat has to say to the house. The device signs one request at a time and gives the same bytes until its line is there; here
// they are kept before they are sent, and sent until they are answered. So a lost connection gives nobody a second roll.

import { type Api, Refusal, Unreached } from './api';
import { Alarm, type Device, type Post, Unsigned } from './device';
import type { Role, Wish } from './events';
import * as kept from './kept';

export type Wanted = { id: number; wish: Wish };
/** What the outbox must know of the table. */
type Host = { readonly ready: boolean; raise(alarm: Alarm['trouble']): void; overtaken(): void };

const after = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
/** The device signs this as soon as something else is done. */
const LATER = ['waiting', 'asking', 'asked', 'behind', 'not-seated', 'unsealed'];
const SLOW = 20_000;

export class Outbox {
  /** What is not signed yet. */
  waits = $state.raw<Wanted[]>([]);
  /** What is signed, and whose line is not there. */
  sent = $state.raw<Wanted | null>(null);
  /** The house has not answered for a while. */
  slow = $state(false);
  /** Why the newest wish was not signed, or a request was not taken. */
  refused = $state('');
  /** The house has refused for good what was signed: its number is spent, so nothing else can be signed in its place. */
  stuck = $state('');

  #api: Api;
  #device: Device;
  #host: Host;
  /** The version that is kept, here and in any other tab. */
  #kept = 0;
  #flying = new Set<string>();
  #pushing: Promise<void> = Promise.resolve();
  #next = 0;
  /** Somebody else has the number for which this one has signed. */
  #late = false;
  #sits: { name: string; role: Role } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: Api, device: Device, host: Host) {
    this.#api = api;
    this.#device = device;
    this.#host = host;
  }

  /** Begins from what is kept. */
  from(seat: kept.Seat) {
    this.#kept = seat.version;
  }

  /** Sits down; if somebody else was quicker, again at the next number, as soon as that one's line is here. */
  async sit(name: string, role: Role) {
    this.refused = '';
    this.#sits = { name, role };
    await this.#device.sit(name, role);
    await this.push();
  }
  add(wish: Wish) {
    this.refused = '';
    this.waits = [...this.waits, { id: this.#next++, wish }];
    void this.push();
  }
  /** Sends what was refused once more: the same bytes. */
  async again() {
    this.stuck = '';
    await this.push();
  }
  /** Takes back what is not signed yet. */
  drop(id: number) {
    this.waits = this.waits.filter((one) => one.id !== id);
  }

  /** Signs, keeps and sends what may be signed, kept and sent now. Called whenever something has changed. */
  push(): Promise<void> {
    this.#pushing = this.#pushing.then(() => this.#push()).catch((failure: unknown) => {
      if (failure instanceof Alarm) this.#host.raise(failure.trouble);
      else if (failure instanceof Overtaken) this.#host.overtaken();
      else throw failure;
    });
    return this.#pushing;
  }

  async #push() {
    await this.#sitAgain();
    await this.#sign();
    this.#watch(this.#device.status.waiting);
    if (!this.#host.ready) return;
    if (this.#device.status.version > this.#kept) await this.keep();
    for (const post of this.#device.send) if (!this.#flying.has(post.body)) void this.#send(post);
  }

  /** Whether another tab has kept something since. */
  isOvertaken = async () => ((await kept.seatAt(this.#api.table))?.version ?? 0) !== this.#kept;

  async #sitAgain() {
    if (!this.#late || !this.#sits) return;
    const { name, role } = this.#sits;
    await this.#device.sit(name, role).then(() => (this.#late = false), (failure) => {
      if (!(failure instanceof Unsigned)) throw failure;
    });
  }

  /** Keeps the state of the device, the newest head in it. */
  async keep() {
    const { state, version } = await this.#device.state();
    if (state === null) return;
    if (!(await kept.save({ table: this.#api.table, state, token: this.#device.status.token ?? '', version }, this.#kept))) throw new Overtaken();
    this.#kept = version;
    await this.#device.saved(version);
  }

  /** One wish at a time, a new seal before all others. */
  async #sign() {
    const { number, needs_seal, waiting } = this.#device.status;
    if (!this.#host.ready || number === null || waiting) return;
    const next = this.waits[0];
    const wish: Wish | undefined = needs_seal ? { wish: 'seal' } : next?.wish;
    if (!wish) return;
    try {
      await this.#device.wish(wish);
      this.sent = needs_seal ? null : next!;
    } catch (failure) {
      if (!(failure instanceof Unsigned)) throw failure;
      if (LATER.includes(failure.code)) return;
      this.refused = failure.message;
    }
    if (!needs_seal) this.drop(next!.id);
  }

  #watch(waiting: boolean) {
    if (!waiting) {
      this.sent = null;
      this.slow = false;
      this.stuck = '';
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else this.#timer ??= setTimeout(() => (this.slow = true), SLOW);
  }

  /** The same bytes until they are answered, as long as the device has them to send. */
  async #send(post: Post) {
    this.#flying.add(post.body);
    try {
      for (let pause = 200; ; pause = Math.min(pause * 2, 5000)) {
        const again = await this.#tried(post);
        if (again === null) return;
        await after(Math.max(again, pause));
        if (!this.#host.ready || !this.#device.send.some(({ body }) => body === post.body)) return;
      }
    } finally {
      this.#flying.delete(post.body);
    }
  }
  /** After how long to send it again; null if it was answered. */
  async #tried({ path, body }: Post): Promise<number | null> {
    try {
      const answer = await this.#api.post(path, body);
      if (path === 'testimony') await this.#device.receipt(answer).catch(() => {});
      return null;
    } catch (failure) {
      if (failure instanceof Unreached) return 0;
      if (!(failure instanceof Refusal)) throw failure;
      if (failure.code === 'seat-not-next') {
        this.#late = true;
        void this.push();
        return null;
      }
      // That a testimony comes too late is told by the lines that come.
      if (path === 'testimony') return null;
      if (failure.status === 429 || failure.status >= 500 || failure.code === 'ask-open') return (failure.after ?? 0) * 1000;
      this.stuck = failure.words;
      return null;
    }
  }
}

class Overtaken extends Error {}

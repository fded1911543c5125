// A table as one browser has it: the connection that goes on by itself, the device that checks and testifies, and what waits to be
// sent. Everything that comes goes through one queue, so that lines are taken in their order.

import { Api, linkTo, Refusal, Unreached, type Words } from './api';
import { Alarm, type Device, type Trouble } from './device';
import type { Dice, Inputs, Outcome, Shown, To } from './events';
import { judge } from './judge';
import * as kept from './kept';
import { namedNumbers } from './numbers';
import { Outbox } from './outbox.svelte';
import { Story } from './story';
import { events } from './stream';
import { hold } from './tabs';
import { sentence } from './words';

/** Who this browser is at the table. */
export type Place = 'opening' | 'guest' | 'sitting' | 'watching';
/** How long without a sign of life until the connection counts as lost; the server says something every 15 s. */
const SILENCE = 40_000;
const SLOWEST = 15_000;

export type View = Pick<Story, 'people' | 'entries' | 'kept' | 'numbers' | 'table' | 'ended' | 'newest' | 'asking' | 'rules'>;
const viewed = ({ people, entries, kept, numbers, table, ended, newest, asking, rules }: Story): View =>
  ({ people, entries: entries.slice(), kept, numbers, table, ended, newest, asking, rules });
type Aside = { seq: number; dice: Dice; outcome: Outcome };

export class Sitting {
  readonly table: string;
  readonly outbox: Outbox;
  place = $state<Place>('opening');
  /** The role that the link gives. */
  role = $state<'owner' | 'player' | 'watch'>('watch');
  /** Connected, and all lines are here. */
  live = $state(false);
  lost = $state(false);
  /** Another tab of this browser acts for this seat. */
  elsewhere = $state(false);
  /** Why nothing goes on. */
  alarm = $state.raw<Trouble | null>(null);
  /** What the device has noticed and what does not end everything. */
  warnings = $state.raw<Trouble[]>([]);
  /** Why it cannot be opened. */
  failed = $state.raw<Refusal | null>(null);
  view = $state.raw<View>(viewed(new Story()));
  seat = $state<number | null>(null);
  online = $state.raw<{ seats: number[]; watching: number }>({ seats: [], watching: 0 });
  links = $state.raw<NonNullable<kept.Own['links']>>({});
  /** Words that are kept beside the log, by their hash. */
  said = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** When lines arrived here. */
  times = $state.raw<Readonly<Record<number, number>>>({});
  /** Rolls whose dice are those of their key, while this page cannot say whether they are added up rightly. */
  unsure = $state(0);
  /** What was told since the page is open, for those who hear it. */
  heard = $state.raw<{ seq: number; words: string }[]>([]);

  #api: Api;
  #device: Device;
  /** The token of a seat for which another tab acts. */
  #token: string | null = null;
  #story = new Story();
  /** The log as it came to this browser, and the newest head. */
  #lines: string[] = [];
  #head = '';
  #asides = new Map<number, Aside>();
  #connection = new AbortController();
  #target = Infinity;
  #retry = 1000;
  #since = 0;
  #drawing: ReturnType<typeof setTimeout> | undefined;
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(table: string, secret: string, device: Device) {
    this.table = table;
    this.#device = device;
    this.#api = new Api(table, secret);
    this.outbox = new Outbox(this.#api, device, this);
  }

  /** Comes to the table: as the seat that this browser has there, or as a guest of the link. */
  async open(how: 'take' | 'look' | null) {
    const [own, seat] = await Promise.all([kept.own(this.table), kept.seatAt(this.table)]).catch(() => []);
    this.links = own?.links ?? {};
    this.times = own?.times ?? {};
    const acts = seat && (await this.#act(how)) && (await this.#device.restore(seat.state).then(() => true, () => false));
    if (acts) this.outbox.from(seat);
    else await this.#device.look(this.table);
    // Who only looks on reads as the seat, and signs nothing.
    this.elsewhere = Boolean(seat) && !acts;
    this.#token = seat?.token ?? null;
    void kept.remember(this.table, { opened: Date.now() }).catch(() => {});
    await this.#run();
  }

  /** Takes a place under a name; whose line comes sits. */
  async sit(name: string): Promise<void> {
    const owner = this.role === 'owner' && !this.view.people.some((one) => one.role === 'owner');
    await this.#act(null);
    await this.outbox.sit(name, owner ? 'owner' : 'player');
  }

  /** Rolls, with this seat's numbers where the program names them and nobody has said otherwise. */
  async roll(text: string, inputs: Inputs, to: To, about: string | number | null) {
    const own = await namedNumbers(text, inputs, this.view, this.seat);
    this.outbox.add({ wish: 'roll', text, inputs: [...inputs, ...own.inputs], to, for: about || null });
  }

  /** What this browser has seen and checked, as `astragal verify` reads it. */
  log = () => [...this.#lines, this.#head, ''].join('\n');
  /** The server's log as a table for people. */
  asTable = (kind: 'csv' | 'markdown') => this.#api.asTable(kind);
  aloud = (line: number, challenge: string) => this.#device.aloud(line, challenge);

  /** Another tab stops, this one acts: it begins anew from what is kept. */
  sitHere = () => this.#anew('take');
  /** Another tab acts: what is signed there would look forged to the device here, so it begins anew and only looks on. */
  overtaken = () => this.#anew('look');
  #anew(how: 'take' | 'look') {
    this.#over = true;
    sessionStorage.setItem(`astragal.table.${how}`, this.table);
    location.reload();
  }
  /** A person has read a warning. */
  seen(trouble: Trouble) {
    this.warnings = this.warnings.filter((one) => one !== trouble);
  }
  /** Comes to the table as somebody new. */
  async sitAnew() {
    await kept.forget(this.table);
    location.reload();
  }
  async newLink() {
    const { secret } = await this.#api.newLink('player');
    this.links = { ...this.links, player: secret };
    this.#address();
    await kept.remember(this.table, { links: { ...this.links } });
  }

  // What the outbox asks and tells.

  get ready(): boolean {
    return this.live && !this.elsewhere && !this.#over;
  }
  /** Something is wrong that no repetition mends. */
  raise(trouble: Trouble) {
    this.alarm ??= trouble;
    this.#over = true;
    this.live = false;
    this.#connection.abort();
    this.#draw();
  }

  /** Who copies the address of a game master's page sends the link for players, and no other. */
  #address() {
    if (this.seat !== null && this.links.player) history.replaceState(null, '', linkTo(this.table, this.links.player));
  }

  #act = (how: 'take' | 'look' | null) => hold(this.table, how, (acts) => (acts ? this.sitHere() : this.overtaken()));

  /** Connects, and connects again, until the table is over or something is wrong. */
  async #run() {
    addEventListener('online', this.#again);
    addEventListener('offline', () => {
      this.lost = true;
      this.#again();
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible' && performance.now() - this.#since > SILENCE / 2) this.#again();
    });
    for (let tries = 0; !this.#over; tries++) {
      this.#connection = new AbortController();
      const { signal } = this.#connection;
      const woken = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      try {
        await this.#connect(signal);
      } catch (failure) {
        if (failure instanceof Alarm) await this.#alarmed(failure.trouble);
        else if (failure instanceof Refusal && failure.status < 429) this.failed = failure;
        else if (!(failure instanceof Unreached || failure instanceof Refusal || signal.aborted)) console.warn(failure);
      }
      if (this.#over || this.failed) return;
      if (this.live) tries = 0;
      this.live = false;
      this.lost = !signal.aborted || this.lost;
      await this.#device.here(false);
      const pause = Math.min(SLOWEST, this.#retry * 2 ** tries) * (0.7 + 0.6 * Math.random());
      await Promise.race([new Promise((resolve) => setTimeout(resolve, pause)), woken]);
    }
  }
  #again = () => this.#connection.abort();
  /** What another tab of this browser has signed is no lie of the house. */
  async #alarmed(trouble: Trouble) {
    if (trouble.code === 'not-sent' && (await this.outbox.isOvertaken())) this.overtaken();
    else this.raise(trouble);
  }

  async #connect(signal: AbortSignal) {
    const about = await this.#api.about(this.#device.status.token ?? this.#token);
    this.#target = about.seq;
    const { role } = about.you;
    if (role !== 'seat') this.role = role;
    else if (this.elsewhere) this.seat = about.you.seat ?? null;
    this.place = role === 'seat' ? 'sitting' : role === 'watch' ? 'watching' : 'guest';
    const answer = await this.#api.events(this.#newest < 0 ? null : this.#newest, signal);
    if (this.#newest >= this.#target) await this.#caughtUp();
    const dead = setInterval(() => performance.now() - this.#since > SILENCE && this.#again(), 1000);
    try {
      for await (const sent of events(answer.body!, () => (this.#since = performance.now()))) {
        if (sent.retry !== undefined) this.#retry = Math.max(200, sent.retry);
        await this.#hear(sent.event, sent.data);
        if (this.#over) return;
      }
    } finally {
      clearInterval(dead);
    }
  }
  get #newest(): number {
    return this.#story.newest;
  }

  async #hear(event: string, data: string) {
    if (event === 'line') return this.#line(data);
    if (event === 'words') return this.#words(JSON.parse(data) as Words);
    if (event === 'private') return this.#private(JSON.parse(data) as Aside);
    if (event === 'present') this.online = JSON.parse(data);
    if (event === 'behind') {
      const { seq, hash } = JSON.parse(data);
      await this.#device.stands(seq, hash);
    }
  }

  async #line(data: string) {
    const [text = '', head = ''] = data.split('\n');
    const took = await this.#device.take(text, head).catch((failure) => {
      // What does not fit is evidence.
      if (failure instanceof Alarm) this.#saw(text, head);
      throw failure;
    });
    if (took.took === 'gap') return this.#again();
    if (took.took === 'known') return;
    this.#saw(text, head);
    this.#story.take(took);
    if (took.what === 'rolled' || took.what === 'revealed') void this.#judge(took.seq, took);
    for (const code of took.alarms) this.#warn(code, took.seq);
    const aside = this.#asides.get(took.seq);
    if (aside) await this.#whisper(aside);
    if (this.live) this.#note(took.seq, sentence(viewed(this.#story), took, this.said));
    this.#draw();
    if (this.#newest >= this.#target) await (this.live ? this.#push() : this.#caughtUp());
  }
  #saw(line: string, head: string) {
    this.#lines.push(line);
    this.#head = head;
  }
  /** A line that came as it happened. */
  #note(seq: number, words: string) {
    this.times = { ...this.times, [seq]: Date.now() };
    if (words) this.heard = [...this.heard.slice(-8), { seq, words }];
  }
  #warn(code: string, seq: number) {
    this.warnings = [...this.warnings, { code, message: `line ${seq}` }];
  }

  async #caughtUp() {
    this.live = true;
    this.lost = false;
    await this.#device.here(true);
    await this.#push();
  }
  /** Nothing more is under way: what this seat is asked for, and what waits, may go. */
  async #push() {
    if (this.elsewhere) return;
    const { number } = this.#device.status;
    if (this.seat !== number) {
      this.seat = number;
      this.#address();
      // From now on one listens as this seat.
      if (number !== null && this.place !== 'sitting') this.#again();
    }
    await this.outbox.push();
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => void this.#keep(), 500);
  }
  async #keep() {
    await kept.remember(this.table, { times: { ...this.times } }).catch(() => {});
    if (this.ready && this.seat !== null) await this.outbox.keep().catch(() => {});
  }

  async #words({ hash, salt, words }: Words) {
    if (this.said.get(hash) === words) return;
    if (await this.#device.said(hash, salt, words)) this.said = new Map(this.said).set(hash, words);
  }
  async #private(aside: Aside) {
    this.#asides.set(aside.seq, aside);
    if (this.#story.roll(aside.seq)) await this.#whisper(aside);
    this.#draw();
  }
  async #whisper(aside: Aside) {
    if (this.#story.roll(aside.seq)?.revealed) return;
    const shown = await this.#device.private(aside);
    this.#story.whisper(aside.seq, shown);
    void this.#judge(aside.seq, shown);
  }
  async #judge(line: number, shown: Shown) {
    if (shown.judged) return;
    const verdict = await judge(line, shown, this.#story.table);
    if (verdict === 'unsure') this.unsure++;
    else if (verdict !== 'fits') this.raise(verdict);
  }

  /** Many lines at once are drawn once. */
  #draw() {
    this.#drawing ??= setTimeout(() => {
      this.#drawing = undefined;
      this.view = viewed(this.#story);
    }, 8);
  }
}

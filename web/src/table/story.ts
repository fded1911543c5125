// From events to what people see: who sits here, and one entry for each roll, call or word, however many lines it took. Entries
// are never changed in place: a new one takes the place of the old, so that only what changed is drawn again.

import type { Dice, Event, For, Inputs, Made, Outcome, Role, Shown, To } from './events';
import type { Rules } from './judge';

export type Person = { seat: number; name: string; role: Role; present: boolean; left: boolean };
/** What was asked for; nobody but its roller knows it of a roll that is hidden. */
export type Asked = { text: string; inputs: Inputs; to: To; for: For };
export type Fell = { dice: Dice; outcome: Outcome };

export type RollEntry = {
  kind: 'roll';
  /** The line that began it. */
  seq: number;
  /** The line that ended it; null while witnesses are asked. */
  line: number | null;
  seat: number;
  asked: Asked | null;
  fell: Fell | null;
  hidden: boolean;
  /** It was shown to this seat alone, outside the log. */
  aside: boolean;
  /** Who showed it to everybody, and in which line. */
  revealed: { by: number; line: number } | null;
  /** Other seats: who took part to the end, or is asked now. */
  witnesses: number[];
  missed: number[];
  made: Made | null;
  /** Real dice, and what they show. */
  typed: string | null;
  struck: { by: number; words: string } | null;
  /** The house rules by which it was rolled. */
  rules: string | null;
  /** The key of its dice, where they are seen. */
  key: string | null;
};
export type CallEntry = { kind: 'call'; seq: number; seat: number; asked: Omit<Asked, 'for'>; label: string | null };
export type SayEntry = { kind: 'say'; seq: number; seat: number; to: To; words: string };
/** What is told in one sentence. */
export type NoteEntry = { kind: 'note'; seq: number; seat: number | null; what: Note };
export type Note = 'sat' | 'left' | 'ended' | 'ruled' | 'resealed' | 'language' | 'moved';
export type Entry = RollEntry | CallEntry | SayEntry | NoteEntry;

/** A named number of a character, or of the table. */
export type Numbered = { whose: number | null; name: string; value: string };
export type Kept = { whose: number | null; name: string; text: string; inputs: Inputs };

export class Story {
  people: Person[] = [];
  entries: Entry[] = [];
  kept: Kept[] = [];
  numbers: Numbered[] = [];
  rules: string | null = null;
  ended = false;
  /** What its rolls may cost, and the systems that the house knows. */
  table: Rules = { limits: { text: 0, rules: 0, throws: 0, steps: 0 }, library: '' };
  newest = -1;
  /** The line of the newest roll that is open. */
  asking: number | null = null;

  /** Where in `entries` a line is told. */
  #place = new Map<number, number>();

  /** Takes what is said of the next line. */
  take(event: Event) {
    this.newest = event.seq;
    const { seq } = event;
    const seat = event.seat ?? 0;
    switch (event.what) {
      case 'sat':
        this.people = [...this.people, { seat: this.people.length, name: event.name, role: event.role, present: true, left: false }];
        return this.#note(event, 'sat', this.people.length - 1);
      case 'asked':
        this.#add({ ...this.#begun(seq, seat), asked: event.pool, hidden: event.pool === null, witnesses: event.asked.filter((one) => one !== seat) });
        return void (this.asking = seq);
      case 'asked-again':
        return this.#change(event.of, (roll) => ({ ...roll, missed: [...roll.missed, ...event.missed], witnesses: event.asked.filter((one) => one !== roll.seat) }), seq);
      case 'rolled':
      case 'hid':
        return this.#ended(seq, seat, event);
      case 'revealed':
        return this.#change(event.of, (roll) => ({ ...roll, ...told(event), revealed: roll.revealed ?? { by: seat, line: seq } }), seq);
      case 'typed': {
        const { text, inputs, faces, outcome } = event;
        const asked = { text, inputs, to: 'all' as const, for: event.for };
        return this.#add({ ...this.#begun(seq, seat), line: seq, asked, fell: { dice: [], outcome }, typed: faces });
      }
      case 'struck':
        return this.#change(event.of, (roll) => ({ ...roll, struck: roll.struck ?? { by: seat, words: event.words } }));
      case 'called':
        return this.#add({ kind: 'call', seq, seat, asked: event, label: event.label });
      case 'kept':
        return this.#keep(event);
      case 'ruled':
        this.rules = event.text;
        return this.#note(event, 'ruled', seat);
      case 'said':
        return this.#add({ kind: 'say', seq, seat, to: event.to, words: event.words });
      case 'sealed':
        return this.#person(seat, { present: true });
      case 'left':
        this.#person(seat, { left: true, present: false });
        return this.#note(event, 'left', seat);
      case 'ended':
        this.ended = true;
        return this.#note(event, 'ended', seat);
      case 'present':
        this.people = this.people.map((one) => ({ ...one, present: event.seats.includes(one.seat) }));
        return;
      case 'language':
        this.table = { ...this.table, library: event.library };
        return this.#note(event, 'language', null);
      case 'resealed': case 'moved':
        return this.#note(event, event.what, null);
      case 'began':
        this.table = { limits: event.limits, library: event.library };
        return;
      case 'set': {
        const { whose, name, value } = event;
        const others = this.numbers.filter((one) => one.whose !== whose || one.name !== name);
        this.numbers = value === '' ? others : [...others, { whose, name, value }];
        return;
      }
    }
  }

  /** A hidden roll, shown to this seat. */
  whisper(line: number, shown: Shown) {
    this.#change(line, (roll) => ({ ...roll, ...told(shown), aside: true }));
  }

  /** The roll that a line belongs to. */
  roll(line: number | null): RollEntry | null {
    const entry = line === null ? undefined : this.entries[this.#place.get(line) ?? -1];
    return entry?.kind === 'roll' ? entry : null;
  }

  #ended(seq: number, seat: number, shown: Shown & { what: 'rolled' | 'hid' }) {
    const { made, witnesses, missed } = shown;
    const known = shown.what === 'hid' ? { hidden: true } : told(shown);
    const ended = { line: seq, made, witnesses, missed, ...known };
    if (this.asking === null) return this.#add({ ...this.#begun(seq, seat), ...ended });
    this.#change(this.asking, (roll) => ({ ...roll, ...ended }), seq);
    this.asking = null;
  }
  #keep({ whose, name, text, inputs }: Kept) {
    const others = this.kept.filter((one) => one.whose !== whose || one.name !== name);
    this.kept = text === '' ? others : [...others, { whose, name, text, inputs }];
  }
  #note({ seq }: Event, what: Note, seat: number | null) {
    this.#add({ kind: 'note', seq, seat, what });
  }
  #add(entry: Entry) {
    this.#place.set(entry.seq, this.entries.length);
    this.entries.push(entry);
  }
  #change(line: number, change: (roll: RollEntry) => RollEntry, also: number | null = null) {
    const at = this.#place.get(line);
    const roll = this.roll(line);
    if (at === undefined || !roll) return;
    this.entries[at] = change(roll);
    if (also !== null) this.#place.set(also, at);
  }
  #person(seat: number, change: Partial<Person>) {
    this.people = this.people.map((one) => (one.seat === seat ? { ...one, ...change } : one));
  }
  #begun = (seq: number, seat: number): RollEntry => ({
    kind: 'roll', seq, line: null, seat, asked: null, fell: null, hidden: false, aside: false, revealed: null,
    witnesses: [], missed: [], made: null, typed: null, struck: null, rules: this.rules, key: null,
  });
}

/** What is shown of a roll. */
function told({ pool, dice, outcome, rules, key }: Shown): Partial<RollEntry> {
  const fell = dice && outcome ? { fell: { dice, outcome } } : {};
  return { ...(pool ? { asked: pool } : {}), ...fell, ...(rules === undefined ? {} : { rules }), ...(key ? { key } : {}) };
}

// What the device says of a line that it has taken (crates/seat, `Event`), and what a person may want (`Wish`).

import type { Trouble } from './device';

export type To = 'all' | 'owner' | 'self' | number[];
export type Role = 'owner' | 'player' | 'door';
export type Inputs = [name: string, value: string][];
/** Runs of dice with as many sides as each other: `[sides, side, side, …]`. */
export type Dice = number[][];
export type Outcome = [how: 'value' | 'fails' | 'refused', what: string];
/** What a roll is for: a line of kind `call`, or the hash of words beside the log. */
export type For = number | string | null;
/** How a roll was made: the rows of "How a roll is called" in spec/fair.md. */
export type Made = 'witnessed' | 'alone' | 'house' | 'missing' | 'deserted' | 'vetoed' | 'silent' | 'unsealed';

export type Pool = { text: string; inputs: Inputs; to: To; for: For };
export type Shown = {
  /** The line in which it was rolled. */
  of: number;
  pool: Pool | null;
  dice: Dice | null;
  outcome: Outcome | null;
  made: Made;
  witnesses: number[];
  missed: number[];
  key: string | null;
  rules?: string;
  /** Whether dice and outcome are known to be those of the program; else the engine has to say so. */
  judged: boolean;
};

export type Event = { seq: number; kind: string; seat: number | null; alarms: Trouble['code'][] } & (
  | { what: 'began'; table: string; witness: 'always' | 'owner' | 'never'; limits: Limits; library: string }
  | { what: 'sat'; name: string; role: Role; vouched: number | null }
  | { what: 'asked'; pool: Pool | null; asked: number[] }
  | { what: 'asked-again'; of: number; missed: number[]; asked: number[] }
  | ({ what: 'rolled' } & Shown)
  | ({ what: 'hid' } & Shown)
  | ({ what: 'revealed' } & Shown)
  | { what: 'typed'; text: string; inputs: Inputs; faces: string; for: For; outcome: Outcome }
  | { what: 'struck'; of: number; words: string }
  | { what: 'called'; text: string; inputs: Inputs; to: To; label: string | null }
  | { what: 'kept'; whose: number | null; name: string; text: string; inputs: Inputs }
  | { what: 'set'; whose: number | null; name: string; value: string }
  | { what: 'ruled'; text: string }
  | { what: 'said'; to: To; words: string }
  | { what: 'sealed' }
  | { what: 'left' }
  | { what: 'ended' }
  | { what: 'present'; seats: number[] }
  | { what: 'resealed' }
  | { what: 'language'; library: string }
  | { what: 'moved' }
);
export type Limits = { text: number; rules: number; throws: number; steps: number };

/** What a seat asks for; words are given as they are, the device puts them beside the log. */
export type Wish =
  | { wish: 'roll'; text: string; inputs: Inputs; to: To; for: number | string | null }
  | { wish: 'typed'; text: string; inputs: Inputs; faces: string; for: number | string | null }
  | { wish: 'reveal'; of: number }
  | { wish: 'strike'; of: number; words: string }
  | { wish: 'call'; text: string; inputs: Inputs; to: To; label: string | null }
  | { wish: 'keep'; whose: number | null; name: string; text: string; inputs: Inputs }
  | { wish: 'set'; whose: number | null; name: string; value: string }
  | { wish: 'say'; to: To; words: string }
  | { wish: 'seal' | 'left' | 'end' };

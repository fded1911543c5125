// The table in words, as players would say it.

import type { Trouble } from './device';
import type { Event, Made, Outcome, Shown, To } from './events';
import type { Person, RollEntry } from './story';
import type { View } from './sitting.svelte';

type People = readonly Person[];

/** Names may be alike; then the number of the seat tells who is who. */
export function nameOf(people: People, seat: number): string {
  const one = people.find((each) => each.seat === seat);
  if (!one) return `seat ${seat}`;
  const alike = people.some((other) => other.seat !== seat && other.name === one.name);
  return alike ? `${one.name} (${seat})` : one.name;
}

export function list(names: string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
const named = (people: People, seats: number[]) => list(seats.map((seat) => nameOf(people, seat)));

/** Who may see it, beside a name. */
export function toWords(people: People, to: To): string {
  if (to === 'all') return 'everyone';
  if (to === 'owner') return 'the game master';
  return to === 'self' ? 'nobody else' : named(people, to);
}

const REFUSALS: Record<string, string> = {
  program: 'this is no program that can be rolled',
  late: 'the house had sealed anew',
  language: 'the house had changed its rules of the language',
  unsealed: 'the device had no seal',
  silent: 'the device fell silent',
};
const FAILURES: Record<string, string> = { 'over-budget': 'more dice or steps than this table allows', 'die-too-large': 'no die has so many sides' };

/** What a roll came to, in a few words. */
export function outcomeWords([how, what]: Outcome): string {
  if (how === 'refused') return `refused: ${REFUSALS[what] ?? what}`;
  if (how === 'fails') return `no result: ${FAILURES[what] ?? what.replaceAll('-', ' ')}`;
  return what.replace(/^-(?=\d)/, '−');
}

/** How a roll was made: a few words, and who could have chosen it. `strength`: how many would have to work together. */
export function madeWords(people: People, roll: RollEntry): { short: string; long: string; strength: 'full' | 'some' | 'none' } | null {
  const roller = nameOf(people, roll.seat);
  if (roll.typed !== null) {
    return { short: 'real dice, typed', long: `${roller} threw real dice and typed what they show. Nobody can check that.`, strength: 'none' };
  }
  if (roll.made === null) return null;
  const gone = named(people, roll.missed.filter((seat) => seat !== roll.seat));
  const said: Record<Made, [string, string, 'full' | 'some' | 'none']> = {
    witnessed: [
      `witnessed by ${named(people, roll.witnesses)}`,
      `The devices of ${list(['the house', roller, ...roll.witnesses.map((seat) => nameOf(people, seat))])} took part. All of them would have to work together to choose this roll.`,
      'full',
    ],
    alone: ['by device and house', `Nobody else was here to witness it: ${roller} and the house together could have chosen it, neither of them alone.`, 'some'],
    missing: [
      `${gone} missing`,
      `${gone} was asked and did not answer; ${named(people, roll.witnesses)} did. Whoever fell silent could, with the house, choose between as many results as were asked for.`,
      'some',
    ],
    deserted: ['left by its witnesses', `${gone} did not answer. ${roller} and the house together could have chosen it.`, 'some'],
    house: ['by the house', 'It came through a chat: the house alone could have chosen it.', 'none'],
    vetoed: ['refused by the house', 'The house said no, and may have known the result.', 'none'],
    silent: ['refused: device silent', `The device of ${roller} did not answer, so nothing was rolled.`, 'none'],
    unsealed: ['not rolled', `The device of ${roller} had no seal left, so there was no result.`, 'none'],
  };
  const [short, long, strength] = said[roll.made];
  return { short, long, strength };
}

/** A line that is new, in one sentence for those who hear the page; nothing for what nobody needs to hear. */
export function sentence(view: View, event: Event, said: ReadonlyMap<string, string>): string {
  const who = event.seat === null ? '' : nameOf(view.people, event.seat);
  switch (event.what) {
    case 'sat': return `${event.name} sits down.`;
    case 'left': return `${who} leaves.`;
    case 'ended': return 'The table is closed.';
    case 'said': return `${who}: ${said.get(event.words) ?? 'words that are gone'}`;
    case 'called': return `${who} asks for ${labelled(event.text, event.label, said)}.`;
    case 'typed': return `${who} types real dice, ${event.text}: ${outcomeWords(event.outcome)}.`;
    case 'hid': return `${who} rolls in secret.`;
    case 'rolled': return `${who} rolls ${fallen(event, said)}.`;
    case 'revealed': {
      const roll = view.entries.findLast((one): one is RollEntry => one.kind === 'roll' && one.line === event.of);
      return `${roll ? nameOf(view.people, roll.seat) : who} rolled in secret: ${fallen(event, said)}.`;
    }
    case 'struck': return `${who} strikes a roll.`;
    case 'resealed': return 'The house sealed its dice anew.';
    case 'ruled': return `${who} changes the house rules.`;
    case 'began': case 'asked': case 'asked-again': case 'kept': case 'set': case 'sealed': case 'present': case 'language': case 'moved':
      return '';
  }
}
function fallen({ pool, outcome }: Shown, said: ReadonlyMap<string, string>): string {
  const what = pool ? labelled(pool.text, pool.for, said) : '';
  return outcome ? `${what}: ${outcomeWords(outcome)}` : what;
}

function labelled(text: string, label: number | string | null, said: ReadonlyMap<string, string>): string {
  const words = typeof label === 'string' ? said.get(label) : undefined;
  return words ? `${text} for ${words}` : text;
}

type Told = { title: string; words: string };
const HOUSE = 'Do not go on at this table before you know why. Download the log: it is the evidence, and anyone can check it.';
const ALARMS: Record<string, Told> = {
  form: { title: 'This log is not written as it should be', words: HOUSE },
  version: { title: 'This table is newer than this page', words: 'It cannot check it. Load the page again; if that does not help, whoever runs the server has a newer Astragal than this page.' },
  chain: { title: 'Something in the past of this table was changed', words: `A line was altered, left out or put in another order. ${HOUSE}` },
  order: { title: 'The house wrote something that it must not write here', words: HOUSE },
  table: { title: 'This is not the table that it says it is', words: HOUSE },
  seat: { title: 'Somebody did what they may not do', words: `The house let it pass. ${HOUSE}` },
  number: { title: 'A roll of somebody was left out or counted twice', words: HOUSE },
  after: { title: 'A roll does not say truly what came before it', words: HOUSE },
  signature: { title: 'Something stands in a name that did not sign it', words: `Whoever it names did not write this line. ${HOUSE}` },
  seal: { title: 'The house did not open the value that it had sealed', words: `So it could have chosen the dice. ${HOUSE}` },
  witnesses: { title: 'The witnesses of a roll are not those who should be asked', words: HOUSE },
  request: { title: 'A line refers to something that is not there', words: HOUSE },
  reveal: { title: 'What was revealed is not what was rolled', words: HOUSE },
  dice: { title: 'These are not the dice that fell', words: HOUSE },
  outcome: { title: 'The dice were added up wrongly', words: HOUSE },
  head: { title: 'The house does not stand by its log', words: `The line that arrived does not bear its signature. ${HOUSE}` },
  'called-away': { title: 'You are here, and the house says that you are not', words: `So it can roll without you as a witness. If your connection was bad, that may be all; if it happens again, ask whoever runs the server.` },
  'called-silent': { title: 'Your device took part in a roll, and the house says that it did not', words: `Its testimony was dropped. ${HOUSE}` },
  'not-sent': { title: 'Something stands in your name that you did not do', words: `If this seat is open in no other browser, the house made it up. ${HOUSE}` },
  unproven: { title: 'The house asks for your testimony without proof', words: HOUSE },
  'another-table': { title: 'This is not the table of the link', words: HOUSE },
  'second-beginning': { title: 'This table begins in two ways', words: `What your browser knows of it and what the house now shows are two histories. ${HOUSE}` },
  'other-history': { title: 'The house tells another history than the one you have seen', words: HOUSE },
  'cut-off': { title: 'The house has forgotten lines that you have seen', words: 'It was restored from something old, or it hides them. The download below has what your browser saw.' },
  unanswered: { title: 'The house does not answer what you asked for', words: 'Your device sends the same again until it does.' },
};

export function alarmWords(trouble: Trouble): Told & { detail: string } {
  const told = ALARMS[trouble.in ?? trouble.code] ?? { title: 'The log does not fit', words: HOUSE };
  const { message, expected, found } = trouble;
  const instead = [expected && `expected ${expected}`, found && `found ${found}`].filter(Boolean).join(', ');
  const detail = [message, instead].filter(Boolean).join('; ');
  return { ...told, detail };
}

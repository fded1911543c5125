// How a roll's value is told: the outcome first and in words, then everything else that the rule says.

import { said, type Shown } from './pools';

export type Tone = 'good' | 'bad' | 'plain';
export type Told = { headline: string; tone: Tone; parts: { name: string; value: string; quiet: boolean }[] };

/** The fields that are told before the others, beside the headline. */
const WEIGHTY = ['total', 'successes'];
/** The fields that say how it ended, the most telling first. */
export const TELLING = ['outcome', 'success', 'winner'];

export function told(value: Shown): Told {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { headline: typeof value === 'string' ? spoken(value) : said(value), tone: tone('', value), parts: [] };
  }
  const leading = TELLING.find((name) => name in value);
  const shown = leading ?? ('total' in value ? 'total' : undefined);
  const weight = ([name]: [string, Shown]) => (WEIGHTY.includes(name) ? 0 : 1);
  const parts = Object.entries(value).filter(([name]) => name !== shown).sort((a, b) => weight(a) - weight(b));
  return {
    headline: shown ? headline(shown, value[shown]!) : '',
    tone: shown ? tone(shown, value[shown]!) : 'plain',
    parts: parts.map(([name, held]) => ({
      name: spoken(name),
      value: inBrief(held),
      quiet: held === false || held === 0,
    })),
  };
}

/** A record as one would say it: "Success. Total 19, margin 4"; nothing for a plain value. */
export function inASentence(value: Shown): string {
  const { headline, parts } = told(value);
  const rest = parts.filter((part) => !part.quiet).map((part) => `${part.name} ${part.value}`);
  return parts.length > 0 ? [headline, rest.join(', ').toLowerCase()].filter(Boolean).join('. ') : '';
}

/** A record within a record in a few words: `{total: 24, fumble: no, open: yes}` is "24, open". */
function inBrief(value: Shown): string {
  if (typeof value === 'string') return spoken(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return said(value);
  const words = Object.entries(value).map(([name, held]) =>
    held === true ? spoken(name).toLowerCase() : held === false ? '' : name === 'total' ? said(held) : `${name} ${said(held)}`,
  );
  return words.filter(Boolean).join(', ');
}

function headline(name: string, value: Shown): string {
  if (name === 'success') return value === true ? 'Success' : 'Failure';
  return typeof value === 'string' ? spoken(value) : said(value);
}

function tone(name: string, value: Shown): Tone {
  if (name === 'success') return value === true ? 'good' : 'bad';
  const words = typeof value === 'string' ? value : '';
  return /fail|fumble|botch/.test(words) ? 'bad' : /success/.test(words) ? 'good' : 'plain';
}

/** `dramatic_failure` as "Dramatic failure"; a number as it is. */
export function spoken(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/^-(?=\d)/, '−');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

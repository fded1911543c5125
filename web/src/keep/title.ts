// What a program is called where there is room for a few words: the name it was saved under, what its first comment says,
// or its own first line.

import type { State } from '../address/state';

const LONGEST = 60;

export function titleOf(text: string): string {
  const lines = text.split('\n').map((line) => line.trim()).filter(Boolean);
  const comment = lines[0]?.match(/^#+\s*(.+?)\s*$/)?.[1];
  const plain = lines.find((line) => !line.startsWith('#') && !/^(use|param)\b/.test(line));
  return cut((comment && sentence(comment)) || plain || lines[0] || 'Empty program');
}

/** The tab's title: what is looked at, then the page. */
export function documentTitle(state: State, name: string | undefined, game: string): string {
  return `${state.at === 'play' ? game : name || titleOf(state.text)} · Astragal`;
}

const sentence = (text: string) => text.split(/[.:](?:\s|$)/)[0]!;
const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1).replace(/\s+\S*$/, '')}…` : text);

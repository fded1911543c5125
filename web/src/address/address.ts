// The address holds the whole program, so that a link lasts for ever without a server. One line alone stays readable,
// `#e=4d6kh3`; everything else is `#v1.` and the packed state.

import { pack, unpack } from './pack';
import { check, lasts, type State } from './state';

/** The address holds something that this page cannot read. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** A program that no address can hold. */
export class TooLong extends Error {
  override name = 'TooLong';
}

/** The state in the address; null if the address holds none. Throws `Unreadable`. */
export async function read(hash: string = location.hash): Promise<State | null> {
  if (hash === '' || hash === '#') return null;
  try {
    const state = await decode(hash);
    if (state) return state;
  } catch {
    // whatever went wrong on the way, the reader is told the same
  }
  throw new Unreadable('This link could not be read; it may have been cut off on its way.');
}

async function decode(hash: string): Promise<State | null> {
  if (hash.startsWith('#e=')) return check({ v: 1, at: 'ask', text: decodeURIComponent(hash.slice(3)) });
  if (hash.startsWith('#v1.')) return check(JSON.parse(await unpack(hash.slice(4))));
  return null;
}

/** The state as the part of an address from `#` on. Throws `TooLong`, for nobody could read it. */
export async function write(state: State): Promise<string> {
  if (isOneLine(state)) return `#e=${encodeURIComponent(state.text)}`;
  if (!lasts(state)) throw new TooLong('This program is too long for a link: a text may have 200,000 letters');
  const packed = await pack(JSON.stringify(state)).catch(() => {
    throw new TooLong('This program is too long for a link; a file takes it elsewhere: Programs, Save everything');
  });
  return `#v1.${packed}`;
}

/** The whole address, to be copied. */
export async function link(state: State): Promise<string> {
  return location.href.split('#')[0] + (await write(state));
}

/** The same address with the program where the server sees it, so that it can tell and draw what is linked. */
export async function openLink(state: State): Promise<string> {
  return location.href.split(/[?#]/)[0] + '?' + (await write(state)).slice(1);
}

/** Who comes by such an address goes on with one that no server sees. */
export function arrive() {
  if (/^\?(e=|v1\.)/.test(location.search) && location.hash.length < 2) {
    history.replaceState(null, '', `${location.pathname}#${location.search.slice(1)}`);
  }
}

function isOneLine(state: State): boolean {
  const more = state.files ?? state.inputs ?? state.view ?? state.whatif ?? state.look ?? state.play ?? state.seed;
  return state.at === 'ask' && more === undefined && !state.text.includes('\n') && state.text.length <= 200;
}

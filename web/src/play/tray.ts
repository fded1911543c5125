// The tray as one of the things to play: it has no rule, and what it holds is the text that it writes.

import type { PlayState } from '../address/state';

/** What stands for the tray where a rule would be named. */
export const TRAY = 'dice';
const BEGINNING = 'd20';

export const isTray = (state: PlayState | undefined) => state === undefined || state.call === TRAY;

/** What lies in the tray; something to begin with, unless it was cleared. */
export function trayText(state: PlayState | undefined): string {
  const held = state?.values.text;
  return typeof held === 'string' && held.length < 200 ? held : BEGINNING;
}

export const trayState = (text: string): PlayState => ({ call: TRAY, values: { text } });

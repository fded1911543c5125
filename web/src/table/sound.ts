// A short knock when somebody rolls; off unless somebody switches it on.

import { sounds } from './name';

let context: AudioContext | undefined;
let last = -1;

export function ring(heard: { seq: number; words: string }[]) {
  const newest = heard.at(-1);
  if (!newest || newest.seq <= last) return;
  last = newest.seq;
  if (sounds() && / rolls? /.test(newest.words)) knock();
}

/** Two knocks of wood. */
function knock() {
  context ??= new AudioContext();
  for (const at of [0, 0.09]) {
    const [tone, loud] = [context.createOscillator(), context.createGain()];
    const begins = context.currentTime + at;
    tone.frequency.setValueAtTime(320, begins);
    tone.frequency.exponentialRampToValueAtTime(120, begins + 0.06);
    loud.gain.setValueAtTime(0.15, begins);
    loud.gain.exponentialRampToValueAtTime(0.001, begins + 0.08);
    tone.connect(loud).connect(context.destination);
    tone.start(begins);
    tone.stop(begins + 0.1);
  }
}

// Finding rolls again: by words of the program or of what came up, or those of the program at hand.

import type { Source } from '../engine/types';
import type { Entry } from './history.svelte';

export function found(entries: Entry[], text: string, program: Source | null): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ source, value, seed }) => {
    if (program && source.text.trim() !== program.text.trim()) return false;
    const all = `${source.text} ${value} ${seed ?? ''}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

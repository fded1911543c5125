// What the reader is working on: the program, files of house rules beside it, and the inputs that were moved. Files are
// kept apart from the program by their names, as `use "house.dice"` calls them.

import type { State } from '../address/state';
import type { Edit, Source, View } from '../engine/types';
import { Look } from '../see/look.svelte';
import { NOTHING, type WhatIf } from '../whatif/whatif';
import { FIRST } from './examples';

/** The name by which diagnostics call the main text. */
export const PROGRAM = 'program';

export class Desk {
  text = $state(FIRST);
  files = $state<Record<string, string>>({});
  inputs = $state<Record<string, string>>({});
  view = $state<View>('exactly');
  /** Which inputs vary. */
  whatif = $state.raw<WhatIf>(NOTHING);
  /** How the answer is looked at. */
  readonly look = new Look();
  /** The tab that is open: the program or a file's name. */
  open = $state(PROGRAM);

  get source(): Source {
    return { text: this.text, files: { ...this.files }, inputs: { ...this.inputs } };
  }

  /** Whether there is such a tab. */
  has(name: string): boolean {
    return name === PROGRAM || name in this.files;
  }

  get openText(): string {
    return this.read(this.open);
  }

  read(name: string): string {
    return name === PROGRAM ? this.text : (this.files[name] ?? '');
  }

  write(name: string, text: string) {
    if (name === PROGRAM) this.text = text;
    else this.files[name] = text;
  }

  /** Puts another program on the desk; moved inputs belong to the old one. */
  load(text: string, files?: Record<string, string>) {
    this.text = text;
    if (files) this.files = { ...this.files, ...files };
    this.inputs = {};
    this.whatif = NOTHING;
    this.look.restore(undefined);
    this.open = PROGRAM;
  }

  /** Puts a whole question on the desk, in place of everything that was there. */
  take(source: Source) {
    this.text = source.text;
    this.files = { ...source.files };
    this.inputs = { ...source.inputs };
    this.open = PROGRAM;
  }

  restore(state: State) {
    this.take(state);
    this.view = state.view ?? 'exactly';
    this.whatif = state.whatif ?? NOTHING;
    this.look.restore(state.look);
  }

  /** Applies a proposed fix; edits of one text are applied from its end, so that places stay true. */
  apply(edits: Edit[]) {
    for (const { source, place, replacement } of edits.toSorted((a, b) => b.place.start - a.place.start)) {
      const text = this.read(source);
      this.write(source, text.slice(0, place.start) + replacement + text.slice(place.end));
    }
    if (edits[0]) this.open = edits[0].source;
  }

  addFile(name: string, text: string) {
    this.files[name] = text;
    this.open = name;
  }

  renameFile(from: string, to: string) {
    this.files = Object.fromEntries(
      Object.entries(this.files).map(([name, text]) => [name === from ? to : name, text]),
    );
    if (this.open === from) this.open = to;
  }

  /** Deletes a file, and the line of the program that made it known. */
  removeFile(name: string) {
    this.text = this.text
      .split('\n')
      .filter((line) => line.trim() !== `use "${name}"`)
      .join('\n');
    const { [name]: _, ...rest } = this.files;
    this.files = rest;
    if (this.open === name) this.open = PROGRAM;
  }
}

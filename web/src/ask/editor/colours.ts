// Syntax colours come from the engine's own reader, so that they can never disagree with it.

import { RangeSetBuilder, StateEffect } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { quick, ready } from '../../engine/client';

/** A longer text is coloured when nobody types for a moment; one that is much longer is not coloured. */
export const LONG = 30_000;
const MUCH_TOO_LONG = 400_000;
const PAUSE = 300;

const marks = new Map<string, Decoration>();

function mark(kind: string): Decoration {
  const known = marks.get(kind) ?? Decoration.mark({ class: `tok-${kind}` });
  marks.set(kind, known);
  return known;
}

function coloured(view: EditorView): DecorationSet {
  if (view.state.doc.length > MUCH_TOO_LONG) return Decoration.none;
  const builder = new RangeSetBuilder<Decoration>();
  for (const { start, end, kind } of quick({ ask: 'tokens', text: view.state.doc.toString() })?.tokens ?? []) {
    if (end > start) builder.add(start, end, mark(kind));
  }
  return builder.finish();
}

/** The engine is there, or a moment without typing: what was plain gets its colours. */
const due = StateEffect.define();
const isDue = (update: ViewUpdate) => update.transactions.some((each) => each.effects.some((one) => one.is(due)));

export const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    later: ReturnType<typeof setTimeout> | undefined;
    constructor(readonly view: EditorView) {
      this.decorations = coloured(view);
      ready.then(() => this.colour()).catch(() => {});
    }
    colour() {
      this.view.dispatch({ effects: due.of(null) });
    }
    update(update: ViewUpdate) {
      if (update.docChanged && update.state.doc.length > LONG) {
        this.decorations = this.decorations.map(update.changes);
        clearTimeout(this.later);
        this.later = setTimeout(() => this.colour(), PAUSE);
      } else if (update.docChanged || isDue(update)) this.decorations = coloured(update.view);
    }
    destroy() {
      clearTimeout(this.later);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

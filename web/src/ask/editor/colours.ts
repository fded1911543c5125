// Syntax colours come from the engine's own reader, so that they can never disagree with it.

import { RangeSetBuilder, StateEffect } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { quick, ready } from '../../engine/client';

const marks = new Map<string, Decoration>();

function mark(kind: string): Decoration {
  const known = marks.get(kind) ?? Decoration.mark({ class: `tok-${kind}` });
  marks.set(kind, known);
  return known;
}

function coloured(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { start, end, kind } of quick({ ask: 'tokens', text: view.state.doc.toString() })?.tokens ?? []) {
    if (end > start) builder.add(start, end, mark(kind));
  }
  return builder.finish();
}

/** The engine is there: what was plain gets its colours. */
const arrived = StateEffect.define();
const hasArrived = (update: ViewUpdate) => update.transactions.some((each) => each.effects.some((one) => one.is(arrived)));

export const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = coloured(view);
      ready.then(() => view.dispatch({ effects: arrived.of(null) })).catch(() => {});
    }
    update(update: ViewUpdate) {
      if (update.docChanged || hasArrived(update)) this.decorations = coloured(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

// The editor proper, loaded after the first answer is on its way. Tab is left alone, so that the keyboard can leave the
// editor as it leaves any other field.

import { autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyField, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { Annotation, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view';
import { quick } from '../../engine/client';
import { colours, LONG } from './colours';
import { look } from './look';

export { underline } from './problems';

export type Settings = {
  parent: HTMLElement;
  text: string;
  /** What the text is known by: who comes back to it can still undo. */
  memory: string;
  label: string;
  files: () => Record<string, string>;
  onchange: (text: string) => void;
};

const fromOutside = Annotation.define<boolean>();

/** Texts that were left, with what can be undone in them; the oldest is forgotten first. */
const left = new Map<string, unknown>();
const MOST_LEFT = 40;
const FIELDS = { history: historyField };

export function remember(memory: string, view: EditorView) {
  left.delete(memory);
  left.set(memory, view.state.toJSON(FIELDS));
  for (const oldest of left.keys()) {
    if (left.size <= MOST_LEFT) break;
    left.delete(oldest);
  }
}

export function create({ parent, text, memory, label, files, onchange }: Settings): EditorView {
  const complete = (context: CompletionContext) => {
    const begun = context.state.doc.length <= LONG && context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*\.?$|\.$/u);
    if (!context.explicit && !begun) return null;
    const found = quick({ ask: 'complete', text: context.state.doc.toString(), at: context.pos, files: files() });
    return found && found.options.length
      ? { from: found.from, options: found.options, validFor: /^[\p{L}\p{N}_]*$/u }
      : null;
  };
  const config = {
    extensions: [
      history(),
      drawSelection(),
      bracketMatching(),
      autocompletion({ override: [complete], icons: false }),
      keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        'aria-label': label,
        autocapitalize: 'off',
        spellcheck: 'false',
        tabindex: '0',
      }),
      placeholder('4d6kh3'),
      colours,
      look,
      EditorView.updateListener.of((update) => {
        const ours = update.transactions.some((change) => change.annotation(fromOutside));
        if (update.docChanged && !ours) onchange(update.state.doc.toString());
      }),
    ],
  };
  const before = left.get(memory);
  const state = before ? EditorState.fromJSON(before, config, FIELDS) : EditorState.create({ ...config, doc: text });
  return new EditorView({ parent, state });
}

/** Takes over a text that changed elsewhere, as one step of the editor's history, touching only what differs. */
export function replace(view: EditorView, text: string) {
  const old = view.state.doc.toString();
  if (old === text) return;
  let start = 0;
  while (start < old.length && start < text.length && old[start] === text[start]) start++;
  let end = 0;
  const most = Math.min(old.length, text.length) - start;
  while (end < most && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  view.dispatch({
    changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
    annotations: fromOutside.of(true),
  });
}

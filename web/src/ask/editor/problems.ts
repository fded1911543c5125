// Underlines where the engine's messages point, in the words that the terminal uses, with the proposed edits as actions.

import { type Diagnostic as Mark, setDiagnostics } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';
import type { Diagnostic, Fix } from '../../engine/types';

const SEVERITY = { error: 'error', 'over-budget': 'warning', hint: 'hint', notice: 'info' } as const;

/** Marks the problems of one text; `fix` applies an edit, which may be in another text. */
export function underline(view: EditorView, name: string, problems: Diagnostic[], fix: (fix: Fix) => void) {
  const marks = problems.flatMap((problem) => marksOf(problem, name, view.state.doc.length, fix));
  marks.sort((a, b) => a.from - b.from);
  view.dispatch(setDiagnostics(view.state, marks));
}

function marksOf(problem: Diagnostic, name: string, length: number, fix: (fix: Fix) => void): Mark[] {
  const here = problem.labels.filter((label) => label.source === name).slice(0, 1);
  return here.map(({ place, text }) => ({
    from: Math.min(place.start, length),
    to: Math.min(place.end, length),
    severity: SEVERITY[problem.severity],
    message: [problem.message, text, ...problem.help.map((line) => `help: ${line}`)].filter(Boolean).join('\n'),
    actions: problem.fixes.map((each) => ({ name: each.title, apply: () => fix(each) })),
  }));
}

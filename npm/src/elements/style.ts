// How the elements look: the page's own colours and font, light or dark as the page is, and parts to be styled from outside.

import type { Pen } from '../pen.js';

const TEXT = `
:host {
  --accent: var(--astragal-accent, light-dark(#2f6b52, #7fc8a5));
  --ink: var(--astragal-ink, light-dark(#1d1f21, #e8e6e3));
  --faint: var(--astragal-faint, light-dark(#5c6166, #a7acb1));
  --line: var(--astragal-line, light-dark(#d5d8db, #44494e));
  --paper: var(--astragal-paper, light-dark(#ffffff, #1b1d20));
  /* What charts are drawn with. */
  --s0: var(--accent);
  --soft: var(--faint);
  --card: var(--paper);
  --edge: var(--faint);
  display: block;
  color-scheme: light dark;
  color: var(--ink);
  background: var(--paper);
  font-variant-numeric: tabular-nums;
  line-height: 1.4;
  padding: 0.75em;
  border: 1px solid var(--line);
  border-radius: 0.4em;
  margin-block: 1em;
  max-width: 42rem;
}
:host([hidden]) { display: none; }
:host([theme='light']) { color-scheme: light; }
:host([theme='dark']) { color-scheme: dark; }
figure { margin: 0; }
figure + figure { margin-top: 1em; }
figcaption { display: flex; flex-wrap: wrap; gap: 0.2em 1em; justify-content: space-between; }
code { font-family: ui-monospace, monospace; font-weight: 600; white-space: pre-wrap; }
.faint { color: var(--faint); font-size: 0.9em; }
svg { display: block; width: 100%; height: auto; margin-top: 0.4em; overflow: visible; }
fieldset { border: 0; margin: 0.5em 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.2em 1em; font-size: 0.9em; }
legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
label { display: inline-flex; gap: 0.35em; align-items: center; min-height: 24px; }
input { accent-color: var(--accent); }
details { margin-top: 0.4em; font-size: 0.9em; }
summary { cursor: pointer; min-height: 24px; }
.scroll { max-height: 20em; overflow: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: end; padding: 0.15em 0.6em; border-bottom: 1px solid var(--line); font-weight: normal; }
th:first-child { text-align: start; }
td.bar { width: 60%; text-align: start; }
td.bar > span { display: block; height: 0.9em; background: var(--accent); border-radius: 0.1em; }
button { font: inherit; font-weight: 600; color: var(--paper); background: var(--accent); border: 0; border-radius: 0.35em; padding: 0.45em 1em; min-height: 2.5em; cursor: pointer; }
button:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
button[aria-busy='true'] { opacity: 0.7; }
.value { font-size: 2em; font-weight: 700; margin: 0.3em 0 0; overflow-wrap: anywhere; }
.lines { margin: 0.2em 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.trouble { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: 0.85em; }
@media (prefers-reduced-motion: no-preference) { button { transition: opacity 0.1s; } }
@media (forced-colors: active) { .chart .fill { fill: CanvasText; } td.bar > span { background: CanvasText; } }
`;

let made: CSSStyleSheet | undefined;
let ofPen: CSSStyleSheet | undefined;

/** How charts look. */
export function penSheet(pen: Pen): CSSStyleSheet {
  if (!ofPen) {
    ofPen = new CSSStyleSheet();
    ofPen.replaceSync(pen.style());
  }
  return ofPen;
}

/** One sheet for all of them, which no content policy stands against. */
export function sheet(): CSSStyleSheet {
  if (!made) {
    made = new CSSStyleSheet();
    made.replaceSync(TEXT);
  }
  return made;
}

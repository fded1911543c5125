// The pen that draws the charts (crates/chart, by way of the npm package). It is fetched beside the page's script; the head of
// the page is there at once, what is below it waits for the pen.

import { loadPen, paint, type Mark, type Pen } from 'astragal/pieces';

export let pen: Pen;

export const penReady: Promise<void> = loadPen().then((loaded) => {
  pen = loaded;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(pen.style());
  document.adoptedStyleSheets.push(sheet);
});

/** Puts marks into an element, and again when they change. */
export const drawn = (marks: Mark[]) => (into: Element) => paint(into, marks);

/** The colour of a result. */
export const tone = (at: number) => `var(--s${at % pen.tones})`;

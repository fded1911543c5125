// What stands around every chapter: the way back to the page, the list of chapters, and the chapters before and after.

import { posix } from 'node:path';
import { escaped, up } from './render.mjs';

const MARK = 'M22 9c5.5 0 7 3.5 10 3.5S36.5 9 42 9c6 0 10 4.5 10 10 0 6.5-6.5 8-6.5 13s6.5 6.5 6.5 13c0 5.5-4 10-10 10-5.5 0-7-3.5-10-3.5S27.5 55 22 55c-6 0-10-4.5-10-10 0-6.5 6.5-8 6.5-13S12 25.5 12 19c0-5.5 4-10 10-10z';

/** A whole page. `policy` is the one of the page itself. */
export function framed(chapter, all, html, policy) {
  const to = (file) => posix.relative(posix.dirname(chapter.file), file);
  const at = all.indexOf(chapter);
  const list = all.map((other) => {
    const here = other === chapter ? ' aria-current="page"' : '';
    return `<li class="depth-${other.depth}"><a href="${to(other.file)}"${here}>${escaped(other.title)}</a></li>`;
  });
  const beside = (other, word, rel) =>
    other ? `<a class="button" rel="${rel}" href="${to(other.file)}">${word}: ${escaped(other.title)}</a>` : '<span></span>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escaped(chapter.title)} · Astragal</title>
<link rel="icon" type="image/svg+xml" href="${up(chapter.file)}favicon.svg">
<link rel="stylesheet" href="${to('book.css')}">
<script src="${to('book.js')}"></script>
</head>
<body>
<a class="skip" href="#chapter">Skip to the chapter</a>
<header>
<a class="brand" href="${up(chapter.file)}"><svg viewBox="10 7 44 50" width="26" height="30" aria-hidden="true"><path fill="var(--accent)" d="${MARK}"/><circle cx="32" cy="32" r="5" fill="var(--paper)"/></svg>Astragal</a>
<a class="button" href="${up(chapter.file)}">Back to the dice</a>
</header>
<div class="book">
<nav aria-label="Chapters"><details><summary>Chapters</summary><ul>${list.join('')}</ul></details></nav>
<main id="chapter" tabindex="-1">
${html}
<div class="turn">${beside(all[at - 1], 'Before', 'prev')}${beside(all[at + 1], 'Next', 'next')}</div>
</main>
</div>
</body>
</html>
`;
}

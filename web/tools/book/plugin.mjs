// The book is served with the page: every chapter a plain file under `book/`, with the page's own look. A link to a
// chapter that is not there fails the build.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chapters, src } from './chapters.mjs';
import { framed } from './frame.mjs';
import { render } from './render.mjs';

const beside = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** All files of the book by their names. */
export function bookFiles() {
  const policy = beside('../../index.html').match(/Content-Security-Policy" content="([^"]+)"/)[1];
  const all = chapters();
  const known = new Set(all.map(({ path }) => path));
  const files = { 'book.css': beside('../../src/app.css') + beside('book.css'), 'book.js': beside('book.js') };
  for (const chapter of all) {
    const { html, links } = render(chapter);
    const dead = links.filter((target) => !known.has(target));
    if (dead.length) throw new Error(`book/src/${chapter.path} links to ${dead.join(', ')}, which is no chapter`);
    files[chapter.file] = framed(chapter, all, html, policy);
  }
  for (const name of readdirSync(join(src, 'images'))) files[`images/${name}`] = readFileSync(join(src, 'images', name));
  return files;
}

export function book() {
  return {
    name: 'astragal:book',
    apply: 'build',
    generateBundle() {
      for (const [name, source] of Object.entries(bookFiles())) this.emitFile({ type: 'asset', fileName: `book/${name}`, source });
    },
  };
}

// The chapters of the book in their order, with their text: what SUMMARY.md lists, and the shipped source behind it.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
export const src = join(root, 'book/src');
const shipped = join(root, 'crates/engine');

/** `- [Dice](reference/dice.md)` in SUMMARY.md, with its depth; a chapter that is listed twice stands where it is first. */
export function chapters() {
  const lines = readFileSync(join(src, 'SUMMARY.md'), 'utf8').split('\n');
  const found = lines.flatMap((line) => {
    const [, indent, title, path] = line.match(/^(\s*)(?:- )?\[(.+)\]\((.+)\)$/) ?? [];
    return path ? [{ title, path, depth: indent.length ? 1 : 0, text: included(path) }] : [];
  });
  const once = found.filter(({ path }, at) => found.findIndex((other) => other.path === path) === at);
  return [...once, ...sources()].map((chapter) => ({ ...chapter, file: fileOf(chapter.path) }));
}

/** Where a chapter is served; the first is the book's front page. */
export const fileOf = (path) => path.replace(/^introduction\.md$/, 'index.md').replace(/\.md$/, '.html');

/** The text with `{{#include …}}` replaced by what it names. */
function included(path) {
  const place = join(src, path);
  return readFileSync(place, 'utf8').replaceAll(/\{\{#include (\S+)\}\}/g, (_, other) =>
    readFileSync(join(dirname(place), other), 'utf8'));
}

/** The library and the systems as they are shipped. */
function sources() {
  const files = ['prelude', 'systems'].flatMap((folder) =>
    readdirSync(join(shipped, folder)).filter((name) => name.endsWith('.dice')).sort()
      .map((name) => ({ name, text: readFileSync(join(shipped, folder, name), 'utf8') })));
  const list = files.map(({ name }) => `- [${name}](source/${name.replace('.dice', '.md')})`).join('\n');
  const about = `# Source

The rules of the games are no part of the program: they are files in the language itself, as are the functions that every
program knows. These are the very files that this page computes with.

${list}

Astragal is free software, under the MIT licence or the Apache License 2.0, as you like.
`;
  const pages = files.map(({ name, text }) => ({
    title: name, path: `source/${name.replace('.dice', '.md')}`, depth: 1, text: `# ${name}\n\n\`\`\`source\n${text}\`\`\`\n`,
  }));
  return [{ title: 'Source', path: 'source.md', depth: 0, text: about }, ...pages];
}

// A chapter's Markdown as HTML: links between chapters, headings that can be linked to, and programs with ways to run them
// where they stand and to open them in the editor.

import { posix } from 'node:path';
import { Marked } from 'marked';
import { fileOf } from './chapters.mjs';
import { address, inCommand, withFiles } from './programs.mjs';

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text) => text.replaceAll(/[&<>"]/g, (letter) => ESCAPES[letter]);
const slug = (text) => text.toLowerCase().replaceAll(/<[^>]*>/g, '').replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(/\s+/g, '-');

/** The way from a file of the book back to the page's folder. */
export const up = (file) => '../'.repeat(file.split('/').length);

/** The chapter as HTML, with the local places it links to. */
export function render({ path, file, text }) {
  const links = [];
  const files = {};
  const marked = new Marked({ gfm: true });
  /** `which` tells several programs of a block apart. The button does nothing without the script, which shows it. */
  const ways = (state, which = '') => {
    const open = which ? ` aria-label="Open ${escaped(which)} in the editor">Open` : '>Open in the editor';
    return `<span class="ways"><button class="button run" type="button" aria-expanded="false" hidden>Run ${escaped(which || 'it')}</button><a class="button try" href="${escaped(`${up(file)}${address(state)}`)}"${open}</a></span>`;
  };

  function code({ text: body, lang = '' }) {
    const [kind, name] = lang.split(' ');
    if (kind === 'file' && name) files[name] = `${body}\n`;
    const pre = (label) => `<pre class="${label}" tabindex="0"><code>${escaped(body)}</code></pre>\n`;
    if (kind === 'expect') return `<details class="expect"><summary>What it yields</summary>${pre('expect')}</details>\n`;
    if (kind === 'dice' || kind === 'anydice') return `<div class="program beside">${pre('dice')}${ways(withFiles(body, files))}</div>\n`;
    if (kind === 'console') {
      const programs = body.split('\n').map(inCommand).filter(Boolean);
      const all = programs.map((program) => ways(program, programs.length > 1 ? shortened(program.text) : ''));
      return `<div class="program">${pre('console')}${all.join('')}</div>\n`;
    }
    return (kind === 'file' ? `<p class="name">${escaped(name)}</p>` : '') + pre(escaped(kind || 'text'));
  }
  function heading({ tokens, depth }) {
    const inner = this.parser.parseInline(tokens);
    return `<h${depth} id="${slug(inner)}">${inner}</h${depth}>\n`;
  }
  function link({ href, tokens }) {
    const inner = this.parser.parseInline(tokens);
    if (/^[a-z]+:/.test(href)) return `<a href="${escaped(href)}">${inner}</a>`;
    const [place, anchor] = href.split('#');
    const target = place ? posix.normalize(posix.join(posix.dirname(path), place)) : path;
    links.push(target);
    const to = posix.relative(posix.dirname(file), fileOf(target));
    return `<a href="${escaped(to)}${anchor ? `#${escaped(anchor)}` : ''}">${inner}</a>`;
  }
  function table(token) {
    const cell = (inner, head, align) =>
      `<t${head}${align ? ` align="${align}"` : ''}${head === 'h' ? ' scope="col"' : ''}>${this.parser.parseInline(inner.tokens)}</t${head}>`;
    const row = (cells, head) => `<tr>${cells.map((each, at) => cell(each, head, token.align[at])).join('')}</tr>`;
    return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'h')}</thead><tbody>${token.rows.map((each) => row(each, 'd')).join('')}</tbody></table></div>\n`;
  }
  marked.use({ renderer: { code, heading, link, table } });
  return { html: marked.parse(text), links };
}

const shortened = (text) => (text.length > 32 ? `${text.slice(0, 31)}…` : text);

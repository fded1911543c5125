// The page is built as plain files that work at any address: relative paths, a hash in each asset's name.
// The service worker is a second entry, `sw.js`, told at the end of the build which files belong to this version.

import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { answers } from './tools/answers.mjs';
import { book } from './tools/book/plugin.mjs';

const KEPT = '# The built page goes here (`cargo xtask web`); only this folder is kept.\n*\n!.gitignore\n';

/** Writes the files of this build, and a name for this version, into the service worker. */
function precache(): Plugin {
  return {
    name: 'astragal:precache',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const worker = bundle['sw.js'];
      const [page, frame] = [bundle['index.html'], bundle['embed.html']];
      if (worker?.type !== 'chunk' || page?.type !== 'asset' || frame?.type !== 'asset') {
        throw new Error('the build lacks sw.js, index.html or embed.html');
      }
      // Answers from before the engine was there are of no use to a page that has stored its engine; a table is nothing
      // without its server.
      const needed = (name: string) => name.startsWith('assets/') && !/^assets\/(examples-|table-|seat[.-]|Games-)/.test(name);
      const hashed = Object.keys(bundle).filter(needed).sort();
      // Who looks at previews is a machine with a network.
      const shown = readdirSync('public').filter((name) => name !== 'preview.png');
      const files = ['./', 'embed.html', ...shown, ...hashed];
      // The book is stored once somebody opens it; a change of it is a new version all the same.
      const chapters = Object.values(bundle).filter((file) => file.fileName.startsWith('book/'));
      const hash = createHash('sha256').update(files.join('\n')).update(page.source).update(frame.source);
      for (const chapter of chapters) if (chapter.type === 'asset') hash.update(chapter.source);
      const version = hash.digest('hex').slice(0, 12);
      // The folder itself stays in the repository: a binary built before the page notices when the page comes.
      this.emitFile({ type: 'asset', fileName: '.gitignore', source: KEPT });
      const names = chapters.map((file) => file.fileName).sort();
      worker.code = worker.code
        .replace('__FILES__', JSON.stringify(files))
        .replace('__BOOK__', JSON.stringify(names))
        .replace('__VERSION__', version);
    },
  };
}

/** How large a part of the engine is, so that the page can say how much of it is there; nothing before it is built. */
const size = (part: string) => statSync(`../npm/wasm/${part}.wasm`, { throwIfNoEntry: false })?.size ?? 0;

/** Lets the browser fetch the pen and the first part of the engine while the script that asks for them is still on its way. */
function preload(): Plugin {
  return {
    name: 'astragal:preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const modules = Object.keys(bundle ?? {}).filter((name) => /astragal_(pen|first)[^/]*\.wasm$/.test(name));
        if (modules.length !== 2) throw new Error('the build lacks the pen or the engine');
        // The pen draws the first answer, which came with the script.
        const ordered = modules.sort((a, b) => Number(b.includes('pen')) - Number(a.includes('pen')));
        return ordered.map((name) => {
          const attrs = { rel: 'preload', as: 'fetch', type: 'application/wasm', crossorigin: true, href: `./${name}` };
          return { tag: 'link', attrs, injectTo: 'head' as const };
        });
      },
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [svelte(), answers(), book(), preload(), precache()],
  worker: { format: 'es' },
  define: { __ENGINE_SIZES__: ['astragal_first', 'astragal_often', 'astragal_last'].map(size) },
  build: {
    // Nothing is inlined as a data: address; the content policy would refuse it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: { index: 'index.html', embed: 'embed.html', table: 'table.html', sw: 'sw/sw.ts' },
      output: { entryFileNames: (entry) => (entry.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
});

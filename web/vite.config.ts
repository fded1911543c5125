// The page is built as plain files that work at any address: relative paths, a hash in each asset's name.
// The service worker is a second entry, `sw.js`, told at the end of the build which files belong to this version.

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const KEPT = '# The built page goes here (`cargo xtask web`); only this folder is kept.\n*\n!.gitignore\n';

/** Writes the files of this build, and a name for this version, into the service worker. */
function precache(): Plugin {
  return {
    name: 'astragal:precache',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const worker = bundle['sw.js'];
      const page = bundle['index.html'];
      if (worker?.type !== 'chunk' || page?.type !== 'asset') throw new Error('the build lacks sw.js or index.html');
      const hashed = Object.keys(bundle).filter((name) => name.startsWith('assets/')).sort();
      const files = ['./', ...readdirSync('public'), ...hashed];
      const version = createHash('sha256').update(files.join('\n')).update(page.source).digest('hex').slice(0, 12);
      // The folder itself stays in the repository: a binary built before the page notices when the page comes.
      this.emitFile({ type: 'asset', fileName: '.gitignore', source: KEPT });
      worker.code = worker.code.replace('__FILES__', JSON.stringify(files)).replace('__VERSION__', version);
    },
  };
}

/** Lets the browser fetch the engine while the script that asks for it is still on its way. */
function preload(): Plugin {
  return {
    name: 'astragal:preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const engine = Object.keys(bundle ?? {}).find((name) => name.endsWith('.wasm'));
        if (!engine) throw new Error('the build lacks the engine');
        const attrs = { rel: 'preload', as: 'fetch', type: 'application/wasm', crossorigin: true, href: `./${engine}` };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [svelte(), preload(), precache()],
  worker: { format: 'es' },
  build: {
    // Nothing is inlined as a data: address; the content policy would refuse it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: { index: 'index.html', sw: 'sw/sw.ts' },
      output: { entryFileNames: (entry) => (entry.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
});

// Visits to the page. Every visit is watched: a request to another host, a breach of the content policy or an error in
// the console fails the test, whatever else it was about.

import assert from 'node:assert/strict';
import { accessSync } from 'node:fs';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
export const PATIENCE = 20_000;

function browserPath() {
  const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const exists = (path) => {
    try {
      accessSync(path);
      return true;
    } catch {
      return false;
    }
  };
  return candidates.find((path) => path && exists(path));
}

export const launch = () => chromium.launch({ executablePath: browserPath(), args: FLAGS });

/** A server and a browser for one file of tests; `visit(t, …)` opens the page in a context that ends with the test.
 * What `hold` names never arrives. */
export function visits(start = serve) {
  const shared = {};
  before(async () => {
    shared.server = await start();
    shared.browser = await launch();
  });
  after(async () => {
    await shared.browser?.close();
    await shared.server?.stop();
  });

  async function visit(t, { hash = '', width = 1280, height = 900, theme = 'light', touch = false, hold, context: given, server = shared.server } = {}) {
    const context = given ?? await shared.browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
      hasTouch: touch,
      locale: 'en-GB',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(PATIENCE);
    if (hold) await context.route(hold, () => {});
    const page = await context.newPage();
    const seen = watch(page, server.address);
    t.after(async () => {
      if (!given) await context.close();
      assert.deepEqual(seen, { elsewhere: [], violations: [], errors: [] });
    });
    await page.goto(server.address + hash, hold ? { waitUntil: 'commit' } : {});
    return page;
  }
  return { visit, shared };
}

function watch(page, address) {
  const seen = { elsewhere: [], violations: [], errors: [] };
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(data|blob):/.test(url)) seen.elsewhere.push(url);
  });
  page.on('pageerror', (error) => seen.errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const text = message.text();
    // What a test has brought about itself.
    if (page.mayFail?.test(text)) return;
    // A page without a network asks for itself in vain before it takes what it has stored.
    // A server that is killed cuts off what it sends; the page goes on by itself.
    // The browser's own cache may fail; then the engine is fetched past it.
    if (/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_CACHE_WRITE_FAILURE|ERR_INCOMPLETE_CHUNKED_ENCODING/.test(text)) return;
    (text.includes('Content Security Policy') ? seen.violations : seen.errors).push(text);
  });
  return seen;
}

/** Tries again until it holds: what is on a page comes when it comes. */
export async function eventually(check, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    try {
      return await check();
    } catch (failure) {
      if (Date.now() > end) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

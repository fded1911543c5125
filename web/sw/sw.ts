// The page without a network.
//
// The build writes the list of its files into this script (see vite.config.ts), so each version of the page is a new
// script with a cache of its own. Files with a hash in their name never change: they come from the cache. The page
// itself comes from the network while there is one, so that a new version is seen at the next load; its files may
// already lie in the cache of a newer worker that still waits, hence the search through all caches. An old cache is
// removed once no tab uses it any more, because an open page may still start workers from it.

const worker = self as unknown as ServiceWorkerGlobalScope;

const FILES: string[] = JSON.parse('__FILES__');
/** The chapters of the book, stored when the first of them is opened. */
const BOOK: string[] = JSON.parse('__BOOK__');
const CACHE = 'astragal-__VERSION__';
const PATIENCE = 3000;

worker.addEventListener('install', (event) => event.waitUntil(store()));
worker.addEventListener('activate', (event) => event.waitUntil(tidy()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(worker.registration.scope)) return;
  if (atTable(request)) return;
  if (inBook(request)) return event.respondWith(chapter(request, (work) => event.waitUntil(work)));
  event.respondWith(request.mode === 'navigate' ? page(request) : file(request));
});

async function store(): Promise<void> {
  const cache = await caches.open(CACHE);
  const reads = await caches.match('book/index.html');
  await cache.addAll(FILES.map((file) => new Request(file, file.startsWith('assets/') ? {} : { cache: 'reload' })));
  if (reads) await storeBook();
}

const inBook = ({ url }: Request) => url.startsWith(`${worker.registration.scope}book/`);

/** A table is nothing without its server: only the files that it shares with the page are stored. */
const path = ({ url }: Request) => url.slice(worker.registration.scope.length);
const atTable = (request: Request) => /^(api\/|table\.html|t\/(?!assets\/))/.test(path(request));

/** Who reads the book keeps all of it. */
async function storeBook(): Promise<void> {
  const cache = await caches.open(CACHE);
  if (await cache.match('book/index.html')) return;
  await cache.addAll(BOOK.map((name) => new Request(name, { cache: 'reload' })));
}

async function chapter(request: Request, later: (work: Promise<unknown>) => void): Promise<Response> {
  try {
    const fresh = await fetch(request.url, { cache: 'no-cache', signal: AbortSignal.timeout(PATIENCE) });
    later(storeBook().catch(() => undefined));
    return fresh;
  } catch {
    return (await caches.match(request, { ignoreSearch: true })) ?? Response.error();
  }
}

async function tidy(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith('astragal-') && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function page(request: Request): Promise<Response> {
  try {
    const fresh = await fetch(request.url, { cache: 'no-cache', signal: AbortSignal.timeout(PATIENCE) });
    if (fresh.ok) return fresh;
  } catch {
    // No network, or one that only pretends: the stored page answers.
  }
  const stored = (await caches.match(request, { ignoreSearch: true })) ?? (await caches.match('./'));
  return stored ?? fetch(request);
}

async function file(request: Request): Promise<Response> {
  // A table's address lies a folder deeper than its files.
  const shared = path(request).startsWith('t/') ? worker.registration.scope + path(request).slice(2) : request;
  return (await caches.match(shared)) ?? fetch(request);
}

// The built page on a port of its own, as `astragal serve` gives it out, for measurements: it counts what it sends, and can be
// as slow as a telephone. All connections share one line; a new connection costs a way there and back more.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { dist } from './files.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.json': 'application/json', '.webmanifest': 'application/manifest+json',
};
const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Slow 4G as Lighthouse has it: 1.6 Mbit/s and 150 ms there and back. */
export const SLOW = { delay: 150, speed: 200_000 };

/** `line`: how slow it is, or nothing. */
export async function host(line = null) {
  const sent = [];
  let free = 0;
  const known = new WeakSet();

  async function give(request, response) {
    if (line) await wait(known.has(request.socket) ? line.delay : 2 * line.delay);
    known.add(request.socket);
    const path = decodeURIComponent(new URL(request.url, 'http://page').pathname);
    const file = join(dist, path.endsWith('/') ? `${path}index.html` : path);
    if (!file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const brotli = existsSync(`${file}.br`);
    const chosen = brotli ? `${file}.br` : file;
    const entry = { path, bytes: statSync(chosen).size, at: performance.now() };
    sent.push(entry);
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-length': entry.bytes,
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(brotli ? { 'content-encoding': 'br' } : {}),
    });
    for await (const chunk of createReadStream(chosen, { highWaterMark: 4096 })) {
      if (line) {
        free = Math.max(free, performance.now()) + (chunk.length / line.speed) * 1000;
        await wait(free - performance.now());
      }
      if (response.destroyed) return;
      response.write(chunk);
    }
    response.end();
  }

  const server = createServer((request, response) => void give(request, response).catch(() => response.destroy()));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    /** What was sent so far: path, bytes, when it began. */
    sent,
    stop: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
  };
}

// A folder on a port of its own, with types and nothing else.

import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

/** `policy`: what the page may do. `sent` lists what was asked for. */
export async function host(folder, { policy, everybody = false } = {}) {
  const sent = [];
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://page').pathname));
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    sent.push(path);
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      ...(policy ? { 'content-security-policy': policy } : {}),
      ...(everybody ? { 'access-control-allow-origin': '*' } : {}),
    });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  return { address: `http://127.0.0.1:${server.address().port}/`, sent, stop };
}

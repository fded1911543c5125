// Firefox by the little of WebDriver BiDi that a smoke test needs: it speaks it by itself, without a driver beside it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WebSocket = globalThis.WebSocket ?? createRequire(import.meta.url)('playwright-core/lib/utilsBundle').ws;

/** A Firefox that is installed, if there is one. */
export const firefoxPath = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path));

/** Starts it without a window, with a profile of its own. */
export async function firefox() {
  const profile = mkdtempSync(join(tmpdir(), 'astragal-firefox-'));
  const words = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile];
  const child = spawn(firefoxPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await listening(child);
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => ((socket.onopen = resolve), (socket.onerror = reject)));

  let number = 0;
  const waiting = new Map();
  socket.onmessage = ({ data }) => {
    const { id, result, error, message } = JSON.parse(data);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject?.(new Error(`${error}: ${message}`));
    else resolve?.(result);
  };
  const send = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++number, { resolve, reject });
      socket.send(JSON.stringify({ id: number, method, params }));
    });
  await send('session.new', { capabilities: {} });
  const { contexts } = await send('browsingContext.getTree', {});
  const context = contexts[0].context;
  return {
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    /** What an expression comes to on the page; a plain value. */
    async evaluate(expression) {
      const told = await send('script.evaluate', { expression, target: { context }, awaitPromise: true });
      if (told.type === 'exception') throw new Error(told.exceptionDetails.text);
      return told.result.value;
    },
    /** Keys as somebody presses them; an array is pressed together. */
    async press(...keys) {
      const actions = keys.flatMap((key) => {
        const chord = Array.isArray(key) ? key : [key];
        const down = chord.map((value) => ({ type: 'keyDown', value }));
        return [...down, ...chord.toReversed().map((value) => ({ type: 'keyUp', value }))];
      });
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] });
    },
    async stop() {
      socket.close();
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Where it listens, as it says itself. */
function listening(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
      const found = said.match(/WebDriver BiDi listening on (ws:\/\/\S+)/);
      if (found) resolve(found[1]);
    });
    child.once('exit', () => reject(new Error(`Firefox ended: ${said}`)));
  });
}

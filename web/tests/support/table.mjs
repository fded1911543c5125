// Tables on a real server, and people who sit at them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { binary } from './terminal.mjs';

/** `astragal table` with a file of its own. */
export async function tables(host = '127.0.0.1') {
  const folder = mkdtempSync(join(tmpdir(), 'astragal-table-'));
  let { child, address } = await started(folder, `${host}:0`);
  const end = async (signal) => {
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    address,
    /** Ends at once, as a machine that loses its power. */
    kill: () => end('SIGKILL'),
    /** Comes back at the same address, with the same file. */
    again: async () => void ({ child } = await started(folder, new URL(address).host)),
    async stop() {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function started(folder, listen) {
  const words = ['table', '--data', join(folder, 'tables.db'), '--listen', listen, '--no-open', '--json'];
  const child = spawn(binary, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, address: JSON.parse(line).address.replace(/t\/$/, '') };
}

export const line = (page) => page.getByRole('textbox', { name: 'What to roll' });
export const cards = (page) => page.getByRole('article');
/** What is large on the newest card. */
export const newest = (page) => cards(page).last().locator('.total b');

/** Makes a table with one press, and reads the link for players. */
export async function begin(page, name = 'Mara') {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Make a table' }).click();
  await line(page).waitFor();
  return page.locator('#invite').inputValue();
}

/** Comes by a link and sits down: a name and one press. */
export async function sitDown(page, link, name) {
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Sit down' }).click();
  await line(page).waitFor();
}

/** Rolls, for all to see unless said otherwise. */
export async function roll(page, text, sight = 'all') {
  await line(page).fill(text);
  await page.getByLabel('Who sees it').selectOption(sight);
  await line(page).press('Enter');
}

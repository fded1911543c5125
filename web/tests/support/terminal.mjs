// The same questions asked of the terminal. What the page shows is compared with what the binary says, at test time.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = ['release', 'debug']
  .map((profile) => fileURLToPath(new URL(`../../../target/${profile}/astragal`, import.meta.url)))
  .find(existsSync);

export const binary = process.env.ASTRAGAL ?? built ?? 'astragal';

/** What `astragal` prints on a terminal of so many columns. */
function printed(columns, words) {
  const env = { ...process.env, COLUMNS: columns, LC_ALL: 'C.UTF-8' };
  return execFileSync(binary, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env });
}

/** What `astragal` prints. */
export const astragal = (...words) => printed('100', words);

/** The same with no line broken, as the page has it. */
export const unbroken = (...words) => printed('1000', words);

/** The exact odds of a program, as data. */
export const odds = (program, ...words) => JSON.parse(astragal('odds', program, '--json', ...words));

/** A roll, as data. */
export const roll = (program, seed) => JSON.parse(astragal('roll', program, '--seed', seed, '--json'));

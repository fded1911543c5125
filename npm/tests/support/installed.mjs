// The packed package in an empty folder, as a user has it.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('..', import.meta.url));
const PACKED = process.env.PACKED ?? join(here, '../../target/npm');

/** The packed file. */
export function tarball() {
  const files = readdirSync(PACKED).filter((name) => /^astragal-.*\.tgz$/.test(name));
  if (files.length !== 1) throw new Error(`${PACKED} has ${files.length} packed files: run \`cargo xtask npm\``);
  return join(PACKED, files[0]);
}

/** An empty folder with nothing but the package; `files` are laid beside it. It is gone when this process ends. */
export function installed(...files) {
  const folder = mkdtempSync(join(tmpdir(), 'astragal-npm-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['install', '--silent', '--no-audit', '--no-fund', '--offline', tarball()], { cwd: folder });
  for (const file of files) cpSync(join(here, 'fixtures', file), join(folder, file));
  return folder;
}

/** Runs a program to its end and gives what it printed. */
export function printed(program, words, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 28, ...options });
  if (error) throw error;
  if (status !== (options.expected ?? 0)) throw new Error(`${program} ${words.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

const ASTRAGAL = process.env.ASTRAGAL ?? join(here, '../../target/debug/astragal');

/** What the command line prints, without the end of its line. */
export const terminal = (words, expected = 0) => printed(ASTRAGAL, words, { expected }).replace(/\n$/, '');

/** A tool of this package's own. */
export const tool = (name) => join(here, '../node_modules/.bin', name);

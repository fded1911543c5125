// The real `astragal serve`, with the page inside, on a port of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { binary } from './terminal.mjs';

export async function serve() {
  const child = spawn(binary, ['serve', '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { address, page } = JSON.parse(line);
  if (!page) {
    child.kill();
    throw new Error('this binary holds no page: `cargo xtask web`, then build it again');
  }
  return {
    address,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

// How long the processor has worked for the programs that this one has started, in milliseconds. Unlike the time on the clock
// it hardly depends on what else the machine does. Only Linux tells; elsewhere it is null.

import { readdirSync, readFileSync } from 'node:fs';

const number = (name) => /^\d+$/.test(name);

export function processor() {
  try {
    const parents = new Map(readdirSync('/proc').filter(number).map((pid) => [pid, parentOf(pid)]));
    const isOurs = (pid) => pid !== undefined && (pid === String(process.pid) || isOurs(parents.get(pid)));
    const ours = [...parents.keys()].filter((pid) => pid !== String(process.pid) && isOurs(pid));
    return ours.flatMap(threads).reduce((sum, time) => sum + time, 0) / 1e6;
  } catch {
    return null;
  }
}

/** The program that has started this one; it may end while one looks. */
function parentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[1];
  } catch {
    return undefined;
  }
}

function threads(pid) {
  try {
    const each = (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    return readdirSync(`/proc/${pid}/task`).map(each);
  } catch {
    return [];
  }
}

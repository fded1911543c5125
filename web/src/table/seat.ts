// Starts the thread of the device.

import { Device } from './device';

type Told = { id: number } & ({ answer: string } | { broken: string });
type Waiting = { resolve: (answer: string) => void; reject: (failure: Error) => void };

export function open(): Device {
  const worker = new Worker(new URL('./seat.worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  let next = 0;
  worker.onmessage = ({ data }: MessageEvent<Told>) => {
    const { resolve, reject } = waiting.get(data.id)!;
    waiting.delete(data.id);
    if ('answer' in data) resolve(data.answer);
    else reject(new Error(`the device broke off: ${data.broken}`));
  };
  worker.onerror = ({ message }) => {
    for (const { reject } of waiting.values()) reject(new Error(`the device broke off: ${message}`));
    waiting.clear();
  };
  return new Device((request) => new Promise((resolve, reject) => {
    waiting.set(next, { resolve, reject });
    worker.postMessage({ id: next++, request });
  }));
}

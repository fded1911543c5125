// Keeps the page usable without a network: the service worker in sw.ts stores it after the first visit. It fetches all of the
// page, so it begins when the first answer is there and not in its way.
// A browser without service workers, or one that forbids them, merely needs the network again.

import { answered } from '../src/engine/client';

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  void answered.then(() => navigator.serviceWorker.register('./sw.js')).catch(() => undefined);
}

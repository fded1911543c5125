// Keeps the page usable without a network: the service worker in sw.ts stores it after the first visit.
// A browser without service workers, or one that forbids them, merely needs the network again.

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => {
    navigator.serviceWorker.register('./sw.js').catch(() => undefined);
  });
}

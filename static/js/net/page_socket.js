/** A line that lives as long as its page is looked at: closed when one leaves, and opened again when one comes back. */

/** @param {string} path @returns {string} the address of a line of this site */
export const lineAddress = path => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`;

/** @param {import('./socket.js').Line<any>} line */
export function openWithPage(line) {
  line.start();
  addEventListener('pagehide', () => line.stop());
  addEventListener('pageshow', event => event.persisted && line.start());
  addEventListener('online', () => line.wake());
  document.addEventListener('visibilitychange', () => document.hidden || line.wake());
}

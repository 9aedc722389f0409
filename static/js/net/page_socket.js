/** A socket that is open while its page is: closed when its reader leaves, opened again when they come back. */

/** @param {string} path @returns {string} the address of a socket of this site */
export const socketAddress = path => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`;

/** @param {Pick<import('./socket.js').Socket<any>, 'start' | 'stop' | 'wake'>} socket */
export function openWithPage(socket) {
  socket.start();
  addEventListener('pagehide', () => socket.stop());
  addEventListener('pageshow', event => event.persisted && socket.start());
  addEventListener('online', () => socket.wake());
  document.addEventListener('visibilitychange', () => document.hidden || socket.wake());
}

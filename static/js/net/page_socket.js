/** A socket that is open while its page is: closed when its reader leaves, opened again when they come back. */

/** @param {string} path @returns {string} the address of a socket of this site */
export const socketAddress = path => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`;

/** @param {Pick<import('./socket.js').Socket<any>, 'start' | 'stop' | 'wake'>} socket */
export function openWithPage(socket) {
  /** Whether the reader goes to another page of this site. A browser without the Navigation API says only that they leave. */
  let within = false;
  const { navigation } = window;
  navigation?.addEventListener('navigate', ({ destination, hashChange, downloadRequest }) => {
    within = !hashChange && downloadRequest === null && new URL(destination.url).origin === location.origin;
  });
  navigation?.addEventListener('navigateerror', () => (within = false));
  socket.start();
  addEventListener('pagehide', () => socket.stop(within));
  addEventListener('pageshow', event => {
    within = false;
    if (event.persisted) socket.start();
  });
  addEventListener('online', () => socket.wake());
  document.addEventListener('visibilitychange', () => document.hidden || socket.wake());
}

/** A socket that is open while its page is: closed when its reader leaves, opened again when they come back. */

/** How long the way to another page may take before it is taken as given up, ms. */
const UNDER_WAY_MS = 5000;

/** @param {string} path @returns {string} the address of a socket of this site */
export const socketAddress = path => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`;

/** @param {Pick<import('./socket.js').Socket<any>, 'start' | 'stop' | 'wake'>} socket */
export function openWithPage(socket) {
  /** Whether the reader goes to another page of this site. A browser without the Navigation API says only that they leave. */
  let within = false;
  const { navigation } = window;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let given;
  navigation?.addEventListener('navigate', ({ destination, downloadRequest }) => {
    const leaves = !destination.sameDocument && downloadRequest === null;
    within = leaves && new URL(destination.url).origin === location.origin;
    // A file, or a reader who stays after all.
    clearTimeout(given);
    given = setTimeout(() => (within = false), UNDER_WAY_MS);
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

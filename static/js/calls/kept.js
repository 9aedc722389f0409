/**
 * What this browser remembers of one's alerts, so that any page knows at once whether to listen for seeks.
 * The server has the truth; the front page brings both together.
 *
 * @typedef {{me: string, push: boolean, alerts: import('./matching.js').Alert[]}} Kept
 *   `me`: whose they are; `push`: this browser is called by web push as well
 */

const KEY = 'alerts';
const CALLED = 'called';
/** Nobody is called more often. */
const QUIET_MS = 600_000;

/** @returns {Kept | null} */
export function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {Kept} now */
export function keep(now) {
  try {
    if (now.alerts.length) localStorage.setItem(KEY, JSON.stringify(now));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage may be forbidden; then only the open front page listens.
  }
}

/** One tab of all takes the call, and then there is quiet for ten minutes. @param {number} now ms @returns {boolean} */
export function claimCall(now) {
  try {
    if (now - Number(localStorage.getItem(CALLED)) < QUIET_MS) return false;
    localStorage.setItem(CALLED, String(now));
    return true;
  } catch {
    return true;
  }
}

const SEEKING = 'seeking';

/** One waits for an opponent, in whatever page of the site. @param {string[]} seeks ids of seeks that need an open page */
export function keepSeeking(seeks) {
  try {
    if (seeks.length) localStorage.setItem(SEEKING, seeks.join(' '));
    else localStorage.removeItem(SEEKING);
  } catch {
    // Storage may be forbidden; then one waits on the front page.
  }
}

/** @returns {boolean} */
export function isSeeking() {
  try {
    return localStorage.getItem(SEEKING) !== null;
  } catch {
    return false;
  }
}

/**
 * What this browser remembers of one's alerts, so that any page knows at once whether to listen for seeks.
 * The server has the truth; the front page brings both together.
 *
 * @typedef {{me: string, push: boolean, alerts: import('./seek_alert.js').Alert[]}} Kept
 *   `me`: whose they are; `push`: this browser is called by web push as well
 */
import { lasting } from '../memory.js';

const KEY = 'alerts';
const CALLED = 'called';
/** Nobody is called more often. */
const QUIET_MS = 600_000;

/** @returns {Kept | null} */
export const kept = () => lasting.json(KEY);

/** @param {Kept} now */
export const keep = now => lasting.set(KEY, now.alerts.length ? JSON.stringify(now) : null);

/** One tab of all takes the call, and then there is quiet for ten minutes. @param {number} now ms @returns {boolean} */
export function claimCall(now) {
  if (now - Number(lasting.get(CALLED)) < QUIET_MS) return false;
  lasting.set(CALLED, String(now));
  return true;
}

const SEEKING = 'seeking';

/** One waits for an opponent, in whatever page of the site. @param {string[]} seeks ids of seeks that need an open page */
export const keepSeeking = seeks => lasting.set(SEEKING, seeks.join(' ') || null);

/** @returns {boolean} */
export const isSeeking = () => lasting.get(SEEKING) !== null;

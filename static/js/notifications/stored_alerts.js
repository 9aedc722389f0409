/**
 * What this browser remembers of one's alerts, so that any page knows at once whether to listen for seeks.
 * The server has the truth; the front page brings both together.
 *
 * @typedef {{me: string, push: boolean, alerts: import('./seek_alert.js').SeekAlert[]}} StoredAlerts
 *   `me`: whose they are; `push`: this browser gets web push as well
 */
import { siteStorage } from '../storage.js';

const KEY = 'alerts';
const NOTIFIED = 'called';
/** Nobody is notified more often. */
const QUIET_MS = 600_000;

/** @returns {StoredAlerts | null} */
export const storedAlerts = () => siteStorage.json(KEY);

/** @param {StoredAlerts} now */
export const storeAlerts = now => siteStorage.set(KEY, now.alerts.length ? JSON.stringify(now) : null);

/** Only one tab notifies, and then none does for ten minutes. @param {number} now ms @returns {boolean} */
export function claimNotification(now) {
  if (now - Number(siteStorage.get(NOTIFIED)) < QUIET_MS) return false;
  siteStorage.set(NOTIFIED, String(now));
  return true;
}

const SEEKING = 'seeking';

/** One waits for an opponent, in whatever page of the site. @param {string[]} seeks ids of seeks that need an open page */
export const storeSeeking = seeks => siteStorage.set(SEEKING, seeks.join(' ') || null);

/** @returns {boolean} */
export const isSeeking = () => siteStorage.get(SEEKING) !== null;

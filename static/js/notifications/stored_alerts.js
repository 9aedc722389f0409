/**
 * What this browser remembers of its user's alerts, so that any page knows at once whether to listen for seeks.
 * The server has the truth; the front page brings this up to date.
 *
 * @typedef {{me: string, push: boolean, alerts: import('./seek_alert.js').SeekAlert[]}} StoredAlerts
 *   `me`: the owner's id; `push`: this browser also gets web push
 */
import { siteStorage } from '../storage.js';

const KEY = 'alerts';
const NOTIFIED = 'called';
/** Nobody is notified more often than this. */
const QUIET_MS = 600_000;

/** @returns {StoredAlerts | null} */
export const storedAlerts = () => siteStorage.json(KEY);

/** @param {StoredAlerts} now */
export const storeAlerts = now => siteStorage.set(KEY, now.alerts.length ? JSON.stringify(now) : null);

/** Lets one tab notify, and then none for ten minutes. @param {number} now ms @returns {boolean} */
export function claimNotification(now) {
  if (now - Number(siteStorage.get(NOTIFIED)) < QUIET_MS) return false;
  siteStorage.set(NOTIFIED, String(now));
  return true;
}

const SEEKING = 'seeking';

/** Remembers that this person waits for an opponent. @param {string[]} seeks ids of seeks that last while a page is open */
export const storeSeeking = seeks => siteStorage.set(SEEKING, seeks.join(' ') || null);

/** @returns {boolean} */
export const isSeeking = () => siteStorage.get(SEEKING) !== null;

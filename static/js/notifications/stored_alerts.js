/**
 * What this browser remembers of its user's alerts, so that any page knows at once whether to listen for seeks, and which
 * seeks match them.
 * The server has the truth; the front page brings this up to date.
 *
 * @import { SeekView as Seek } from '../net/wire.js'
 * @typedef {{me: string, push: boolean, alerts: SeekAlert[]}} StoredAlerts
 *   `me`: the owner's id; `push`: this browser also gets web push
 */
import { siteStorage } from '../storage.js';
import { isClockByDays } from '../game/terms.js';

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

// Whether a seek matches an alert: the same rule as the server's (server/games/seeks.py), for open pages.

/**
 * @typedef {'bullet' | 'blitz' | 'rapid' | 'classical' | 'correspondence'} Speed
 * @typedef {{id: string, variants: string[], speeds: Speed[], rated: boolean, until: number}} SeekAlert
 *   `rated`: its owner may play rated games; `until`: ms since the epoch
 */

/** @type {[number, Speed][]} estimated seconds per side below which a game has this speed */
const BELOW = [
  [180, 'bullet'],
  [480, 'blitz'],
  [1500, 'rapid'],
];

/** @param {string} clock "300+3", "3d" or "10+1/30d" @returns {Speed} */
export function speedOf(clock) {
  if (isClockByDays(clock)) return 'correspondence';
  const [initial, increment] = clock.split('+').map(Number);
  return BELOW.find(([below]) => initial + 40 * increment < below)?.[1] ?? 'classical';
}

/** @param {SeekAlert} alert @param {Seek} seek @param {string} me the owner's id @param {number} now ms since the epoch */
export const matchesAlert = (alert, seek, me, now) =>
  seek.by !== me &&
  now < alert.until &&
  (alert.rated || !(seek.rated || seek.lowest || seek.highest)) &&
  (!alert.variants.length || !seek.variants || seek.variants.some(variant => alert.variants.includes(variant))) &&
  (!alert.speeds.length || alert.speeds.includes(speedOf(seek.clock)));

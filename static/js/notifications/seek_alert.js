/**
 * Whether a seek matches an alert: the same rule as the server's (server/games/seeks.py), for open pages.
 *
 * @import { SeekView as Seek } from '../net/wire.js'
 * @typedef {'bullet' | 'blitz' | 'rapid' | 'classical' | 'correspondence'} Speed
 * @typedef {{id: string, variants: string[], speeds: Speed[], rated: boolean, until: number}} SeekAlert
 *   `rated`: its owner may play rated games; `until`: ms since the epoch
 */
import { isClockByDays } from '../game/terms.js';

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

/**
 * What the clocks show. Only the server measures time; this counts its last reading down with performance.now(), and stops
 * our own clock as soon as our move is sent.
 *
 * @import { Side } from '../net/messages.js'
 * @import { GameState } from './model.js'
 */
import { t } from '../words.js';
import { bankWords, isByDays, realtimeWords } from './terms.js';

/** How often what the clocks show may change, ms. */
export const TICK_MS = 100;
const SIDES = /** @type {const} */ (['white', 'black']);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TENTHS_BELOW = 10 * SECOND;
const LOW_BELOW = 20 * SECOND;
const LOW_FROM = 10 * SECOND;
/** Without an answer for so long, a move is said to be sent, not played. */
const LATE_MS = 2000;
/** What the computer keeps of its time, however long a move takes: it thinks only while its opponent's page is open. */
const SPARED = 0.95;

/**
 * @param {GameState} state @param {Side} side @param {number} now performance.now()
 * @returns {number | null} ms left; null: no time limit
 */
export function remaining(state, side, now) {
  const left = state.clock[side] ?? null;
  if (left === null || state.clock.run !== side) return left;
  const moved = state.sent && state.you === side ? state.sent.at : now;
  const least = state.seats[side].level ? left * SPARED : 0;
  return Math.max(least, left - Math.max(0, Math.min(moved, counted(state, now)) - state.clockAt));
}

/** Whether our move has been without an answer for so long that it is doubtful when, and whether, it is played.
 * @param {GameState} state @param {number} now performance.now() */
export const isLate = ({ sent, ended }, now) => sent !== null && !ended && now - sent.at >= LATE_MS;

/** Until when time counts: nobody loses time while the server is away. @param {GameState} state @param {number} now */
const counted = (state, now) => Math.min(now, state.heldAt ?? now);

/**
 * How much time the side to move has left for its first move; then the game ends without result.
 * @param {GameState} state @param {number} now performance.now()
 * @returns {number | null} ms; null: there is no such limit, or our move has been sent
 */
export function timeToBegin(state, now) {
  const begin = state.clock.begin ?? null;
  return begin === null || state.ended || state.sent
    ? null
    : Math.max(0, begin - (counted(state, now) - state.clockAt));
}

/**
 * Whether time is short: a tenth of the initial time is left, though never less than 10 s (or half of it) nor more than 20 s;
 * in correspondence games an hour.
 * @param {GameState} state @param {Side} side @param {number} left ms
 */
export function isLow(state, side, left) {
  if (isByDays(state)) return left < HOUR;
  const initial = state.initial[side] ?? 0;
  return left < (initial ? Math.min(LOW_BELOW, Math.max(LOW_FROM, initial / 10), initial / 2) : LOW_BELOW);
}

/** Hours of a clock by days as people count them: one that has begun is not gone yet. @param {number} ms a day at least */
export const hoursLeft = ms => Math.ceil(ms / HOUR);

/** What a clock shows. @param {number} ms @returns {string} "0:09.4", "4:05", "1:02:03", "2 d 4 h" */
export const formatClock = ms => (ms >= DAY ? daysAndHours(hoursLeft(ms)) : formatTime(ms));

/** @param {number} hours */
const daysAndHours = hours => t('round.clock_days', { days: Math.floor(hours / 24), hours: hours % 24 });

/** @param {number} ms @returns {string} less than a day: "0:09.4", "4:05", "1:02:03" */
function formatTime(ms) {
  if (ms < TENTHS_BELOW) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const seconds = two(Math.floor((ms % MINUTE) / SECOND));
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  return ms >= HOUR ? `${Math.floor(ms / HOUR)}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

/** How long a move took. @param {number} ms @returns {string} "4 s", "2:05", "1:02:03", "2 d 4 h" */
export function shortTime(ms) {
  if (ms < MINUTE) return `${Math.round(ms / SECOND)} s`;
  return ms >= DAY ? daysAndHours(Math.floor(ms / HOUR)) : formatTime(ms);
}

/** Without tenths. @param {number} ms @returns {string} "0:09", "1:45" */
export const formatCountdown = ms => {
  const seconds = Math.ceil(ms / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** @param {number} ms @returns {string} for the ear: "4 minutes 5 seconds" */
export function speakClock(ms) {
  const parts = /** @type {[number, string][]} */ ([
    [Math.floor(ms / DAY), 'terms.n_days'],
    [Math.floor((ms % DAY) / HOUR), 'round.time_hours'],
    [Math.floor((ms % HOUR) / MINUTE), 'round.time_minutes'],
    [Math.floor((ms % MINUTE) / SECOND), 'round.time_seconds'],
  ]);
  const words = parts
    .filter(([n]) => n > 0)
    .slice(0, 2)
    .map(([n, unit]) => t(unit, { n }));
  return words.join(' ') || t('round.no_time');
}

/** The time control in the page's header: "5+3", "3 days a move", "10+1 days, up to 30". @param {GameState} state */
export function timeControlWords(state) {
  if (state.days !== null) return t('terms.days', { n: state.days });
  if (state.cap !== null)
    return bankWords((state.initial.white ?? 0) / DAY, state.increment.white / DAY, state.cap / DAY);
  const [white, black] = SIDES.map(side =>
    realtimeWords((state.initial[side] ?? 0) / SECOND, state.increment[side] / SECOND),
  );
  if (state.initial.white === null) return t('terms.no_clock');
  return white === black ? white : t('round.against', { white, black });
}

/** Whether a time is longer than the digits of minutes and seconds, and needs smaller ones. @param {string} text as shown */
export const isLong = text => text.length > 6;

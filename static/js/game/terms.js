/**
 * Time controls as the whole site writes them: minutes at the start and seconds a move; days a
 * move; or days at the start, days a move and the most that a time bank holds. On the wire they are one text. Pure.
 */
import { t } from '../words.js';

const MINUTE_S = 60;

/** @param {number} initial s @param {number} increment s @returns {string} "5+3", "0.5+0", "0:05+0" */
export const realtimeWords = (initial, increment) => `${minutes(initial)}+${increment}`;

/** Quarters of a minute as decimals, as players write them. @param {number} seconds */
const minutes = seconds =>
  seconds % (MINUTE_S / 4)
    ? `${Math.floor(seconds / MINUTE_S)}:${String(seconds % MINUTE_S).padStart(2, '0')}`
    : String(seconds / MINUTE_S);

/** @param {number} initial days @param {number} increment days @param {number} cap days @returns {string} */
export const bankWords = (initial, increment, cap) => t('terms.bank', { initial, increment, cap });

/** @param {string} text "10+1/30d" @returns {number[] | null} the three numbers of a time bank; null: it is none */
const bankOf = text => /^(\d+)\+(\d+)\/(\d+)d$/.exec(text)?.slice(1).map(Number) ?? null;

/** Whether the players have days for their moves, so that nobody waits at the board. @param {Pick<import('./model.js').GameState, 'days' | 'cap'>} game */
export const isByDays = ({ days, cap }) => days !== null || cap !== null;

/** Whether anybody's time is limited. @param {import('./model.js').GameState} game */
export const hasClock = game => isByDays(game) || game.initial.white !== null;

/** What a game is taken to last, moves, and from how many seconds on it is no bullet (server: games/clocks/time_control). */
const MOVES = 40;
const BLITZ_FROM_S = 180;

/** Whether so little time is given that nobody reads anything meanwhile. @param {Pick<import('./model.js').GameState, 'initial' | 'increment' | 'days' | 'cap'>} game */
export const isBullet = ({ initial, increment, days, cap }) =>
  !isByDays({ days, cap }) && initial.white !== null && (initial.white + MOVES * increment.white) / 1000 < BLITZ_FROM_S;

/** Whether it counts in days. @param {string} text on the wire */
export const isClockByDays = text => text.endsWith('d');

/**
 * @param {string} text on the wire: "300+3" in seconds, "3d" or "10+1/30d" in days, "" without a clock
 * @param {string} perMove the words for days a move
 * @returns {string} "5+3", "3 days a move", "10+1 days, up to 30", "no clock"
 */
export function clockTerms(text, perMove = 'terms.days') {
  if (!text) return t('terms.no_clock');
  const bank = bankOf(text);
  if (bank) return bankWords(bank[0], bank[1], bank[2]);
  if (isClockByDays(text)) return t(perMove, { n: parseInt(text, 10) });
  const [initial, increment] = text.split('+').map(Number);
  return realtimeWords(initial, increment);
}

/** The clock as POST /api/games expects it, seconds or days. @param {string} text "300+3", "3d", "10+1/30d" or "none" */
export function clockFrom(text) {
  if (text === 'none') return { kind: 'unlimited' };
  const bank = bankOf(text);
  if (bank) return { kind: 'bank', initial: bank[0], increment: bank[1], cap: bank[2] };
  if (isClockByDays(text)) return { kind: 'correspondence', days: parseInt(text, 10) };
  const [initial, increment] = text.split('+').map(Number);
  return { kind: 'realtime', initial, increment };
}

/**
 * Finished games beside those in play, when few are played: which of the newest are worth a look, and as what the wall shows
 * them. Pure.
 *
 * @import { Board } from '../net/wire.js'
 * @typedef {object} Finished   a game as GET /api/games lists it
 * @property {string} id
 * @property {string} variant
 * @property {boolean} chess960
 * @property {string | null} white
 * @property {string | null} black
 * @property {boolean} rated
 * @property {{kind: string, initial_ms: number[], increment_ms: number[], days: number | null, cap_ms: number | null}} clock
 * @property {string} result   as in PGN
 * @property {number} plies
 * @property {string} board   the first field of its last FEN
 */

/** Half-moves without which there is nothing to see, and without which there is little. */
const LEAST_PLIES = 2;
const MANY_PLIES = 16;
const DAY_MS = 86_400_000;

/**
 * The `n` best of `games`, newest first as they came: those with some moves go before, then those by the minute, rated and
 * decided ones.
 * @param {Finished[]} games @param {number} n
 */
export function bestOf(games, n) {
  const weight = (/** @type {Finished} */ { plies, clock, rated, result }) =>
    8 * Number(plies >= MANY_PLIES) +
    4 * Number(clock.kind === 'realtime') +
    2 * Number(rated) +
    Number(/^(1-0|0-1)$/.test(result));
  return games
    .filter(game => game.white && game.black && game.board && game.plies >= LEAST_PLIES)
    .sort((one, other) => weight(other) - weight(one))
    .slice(0, n);
}

/** The clock as a live board has it: "300+3" in seconds, "3d" or "10+1/30d" in days, "" for none. @param {Finished['clock']} clock */
function termsOf({ kind, initial_ms: [initial], increment_ms: [increment], days, cap_ms: cap }) {
  if (kind === 'unlimited') return '';
  if (days !== null) return `${days}d`;
  if (cap !== null) return `${initial / DAY_MS}+${increment / DAY_MS}/${cap / DAY_MS}d`;
  return `${initial / 1000}+${increment / 1000}`;
}

/** A finished game as TV shows one, without clocks. @param {Finished} game @returns {Board} */
export const asBoard = game => ({
  game: game.id,
  variant: game.variant,
  ...(game.chess960 ? { chess960: 1 } : {}),
  ...(game.rated ? { rated: 1 } : {}),
  white: game.white ?? '',
  black: game.black ?? '',
  terms: termsOf(game.clock),
  fen: game.board,
  clock: {},
  watchers: 0,
});

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
 * @property {{kind: string, initial_ms: number[], increment_ms: number[]}} clock
 * @property {string} result   as in PGN
 * @property {number} plies
 * @property {string} board   the first field of its last FEN
 */

/** Half-moves without which there is nothing to see, and without which there is little. */
const LEAST_PLIES = 2;
const MANY_PLIES = 16;

/** The `n` best of `games`, newest first as they came: those with some moves, then rated and then decided ones go before. @param {Finished[]} games @param {number} n */
export function bestOf(games, n) {
  const weight = (/** @type {Finished} */ { plies, rated, result }) =>
    4 * Number(plies >= MANY_PLIES) + 2 * Number(rated) + Number(/^(1-0|0-1)$/.test(result));
  return games
    .filter(
      game => game.white && game.black && game.board && game.plies >= LEAST_PLIES && game.clock.kind === 'realtime',
    )
    .sort((one, other) => weight(other) - weight(one))
    .slice(0, n);
}

/** A finished game as TV shows one, without clocks. @param {Finished} game @returns {Board} */
export const asBoard = game => ({
  game: game.id,
  variant: game.variant,
  ...(game.chess960 ? { chess960: 1 } : {}),
  ...(game.rated ? { rated: 1 } : {}),
  white: game.white ?? '',
  black: game.black ?? '',
  terms: `${game.clock.initial_ms[0] / 1000}+${game.clock.increment_ms[0] / 1000}`,
  fen: game.board,
  clock: {},
  watchers: 0,
});

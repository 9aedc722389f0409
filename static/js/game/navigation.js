/**
 * Looking back through a game: which half-move is shown, and the position after it. The live game goes on meanwhile.
 * Positions that this page has not seen come from the game's JSON, fetched once.
 *
 * @import { GameState } from './model.js'
 */
import { lastMoveSquares } from '../board/position.js';

/**
 * @param {GameState} state @param {number} ply half-moves made
 * @returns {string | null} null: not known yet
 */
export function fenAt(state, ply) {
  if (ply === state.plies.length) return state.fen;
  return ply === 0 ? state.startFen : state.plies[ply - 1].fen;
}

/** @param {GameState} state @param {number} ply @returns {string[]} the squares of the last move */
export const lastMoveAt = (state, ply) => lastMoveSquares(state.plies[ply - 1]?.uci);

/** @param {GameState} state @param {number} ply */
export const isCheckAt = (state, ply) =>
  ply === state.plies.length ? state.check : ply > 0 && /[+#]$/.test(state.plies[ply - 1].san);

/** Which half-move is shown; null: the latest, whatever is played. */
export class Navigation {
  /** @type {number | null} */
  ply = null;

  /** @param {GameState} state @returns {number} */
  shown(state) {
    return Math.min(this.ply ?? state.plies.length, state.plies.length);
  }

  /** @param {GameState} state @param {number} ply limited to what was played; the last one follows the game */
  goTo(state, ply) {
    const last = state.plies.length;
    const wanted = Math.max(0, Math.min(ply, last));
    this.ply = wanted === last ? null : wanted;
  }

  /** @param {GameState} state @param {number} by */
  step(state, by) {
    this.goTo(state, this.shown(state) + by);
  }
}

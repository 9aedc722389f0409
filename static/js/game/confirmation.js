/**
 * Whether a move waits until its player confirms it, and for how long it can. Pure; knows no element.
 *
 * @import { GameState } from './model.js'
 * @typedef {'days' | 'always' | 'never'} ConfirmMoves   the player's preference: in correspondence games, in all, in none
 * @typedef {{uci: string, ply: number, fen: string}} WaitingMove   ply: half-moves made before it; fen: the position then
 */
import { isByDays } from './terms.js';

/**
 * @param {ConfirmMoves} preference @param {Pick<GameState, 'days' | 'cap'>} game
 * @param {boolean} premoved whether it was set while the opponent was to move; such a move is played without a question
 * @returns {boolean}
 */
export const needsConfirmation = (preference, game, premoved) =>
  !premoved && (preference === 'always' || (preference === 'days' && isByDays(game)));

/** @param {GameState} state @param {string} uci @returns {WaitingMove} a move made in the present position */
export const waitingMove = ({ plies, fen }, uci) => ({ uci, ply: plies.length, fen });

/**
 * Whether the move can still be confirmed: nothing was played or taken back since, and it is still this player's to make.
 * @param {WaitingMove} waiting @param {GameState} state @param {string[] | null} legal this player's moves, UCI
 */
export const canStillBeMade = ({ uci, ply, fen }, state, legal) =>
  !state.ended && state.plies.length === ply && state.fen === fen && (legal?.includes(uci) ?? false);

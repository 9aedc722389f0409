/**
 * The line above the controls: whose turn it is, in words; while one looks back, at what, and whether the opponent has moved
 * meanwhile. What is wrong, and what the piece under the pointer can do, stand in its place while there is something.
 *
 * @import { GameState } from '../../game/model.js'
 */
import { moveNumber, halfMovesBefore } from '../../board/position.js';
import { opposite } from '../../board/variant.js';
import { formatCountdown, timeToBegin } from '../../game/clock.js';
import { isMyTurn, turn } from '../../game/model.js';
import { personName, t } from '../../words.js';
import { buttonById, byId, setText } from '../../ui/dom.js';

export class TurnLine {
  #line = byId('turn-line');
  #turn = byId('turn');
  #boardSays = byId('board-says');
  #moment = '';
  #toGame = buttonById('to-game');
  /** How many half-moves there were when the person began to look back. @type {number | null} */
  #since = null;

  /** @param {() => void} toGame back to the present position */
  constructor(toGame) {
    this.#toGame.addEventListener('click', toGame);
  }

  /**
   * @param {GameState} state @param {number} ply how many half-moves the board shows @param {number} now performance.now()
   * @param {boolean} unconfirmed a move of the reader's is on the board and waits to be confirmed
   */
  render(state, ply, now, unconfirmed) {
    // What was said about a piece does not outlast the next move, nor the game.
    const moment = `${state.plies.length} ${state.status}`;
    if (moment !== this.#moment) this.#boardSays.textContent = '';
    this.#moment = moment;
    const back = ply < state.plies.length && !state.ended;
    this.#since = back ? (this.#since ?? state.plies.length) : null;
    const moved = back && state.you !== null && state.plies.length > (this.#since ?? 0);
    this.#toGame.hidden = !back;
    this.#line.classList.toggle('yours', moved || (!back && isMyTurn(state)));
    setText(
      this.#turn,
      back ? lookingWords(state, ply, moved) : unconfirmed ? t('round.not_played_yet') : turnWords(state, now),
    );
  }
}

/** @param {GameState} state @param {number} ply @param {boolean} moved the opponent has moved meanwhile */
function lookingWords(state, ply, moved) {
  const at = ply
    ? t('round.looking_at', {
        move: `${moveNumber(ply - 1 + halfMovesBefore(state.startFen), true)} ${state.plies[ply - 1].san}`,
      })
    : t('round.looking_at_start');
  // What is cut off where there is little room can be read in the list of moves, too.
  return moved ? `${t('round.opponent_moved')} · ${at}` : at;
}

/** @param {GameState} state @param {number} now performance.now() @returns {string} '' once the game is over */
function turnWords(state, now) {
  const { you, seats, status } = state;
  if (state.ended) return '';
  const side = turn(state);
  const left = timeToBegin(state, now);
  const time = left === null ? '' : formatCountdown(left);
  if (status === 'adjourned') return t('round.clocks_rest');
  if (you === side) return time ? t('round.your_turn_begin', { time }) : t('round.your_turn');
  if (you && status === 'open' && !seats[opposite(you)].name) return t('round.waiting');
  if (you) return t('round.their_turn', { name: personName(seats[side].name ?? t('round.opponent')) });
  return t(side === 'white' ? 'round.white_moves' : 'round.black_moves');
}

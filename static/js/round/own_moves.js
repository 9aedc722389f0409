/**
 * The moves of this person, on their way from the board to the server: each waits for its player to confirm it if they
 * want to be asked, and takes the free seat if it is made from an invitation. Knows no socket.
 *
 * @import { View } from '../board/board.js'
 * @import { Variant } from '../board/variant.js'
 * @import { ConfirmMoves, WaitingMove } from '../game/confirmation.js'
 * @import { GameState } from '../game/model.js'
 * @import { Invitation } from './invitation/invitation.js'
 */
import { lastMoveSquares, parseFen } from '../board/position.js';
import { canStillBeMade, needsConfirmation, waitingMove } from '../game/confirmation.js';
import { isMyTurn, turn } from '../game/model.js';
import { isCheckAt, lastMoveAt } from '../game/navigation.js';
import { speakSan } from '../game/san.js';
import { writeMove } from '../game/write_move.js';
import { preference } from '../ui/preferences.js';
import { t } from '../words.js';
import { ConfirmMove } from './confirm_move.js';

export class OwnMoves {
  #options;
  /** @type {WaitingMove | null} */
  #waiting = null;
  /** @type {string | null} the move with which a free seat is being taken */
  #first = null;
  #question = new ConfirmMove({ play: () => this.#confirm(), takeBack: () => this.#takeBack() });

  /**
   * @param {object} options
   * @param {Variant} options.variant
   * @param {() => GameState} options.state
   * @param {Invitation} options.invitation
   * @param {(uci: string) => void} options.send
   * @param {() => void} options.leave   returns to the present position
   * @param {() => void} options.changed   called when another move is to be shown
   * @param {(text: string) => void} options.say
   */
  constructor(options) {
    this.#options = options;
  }

  /** @returns {string[] | null} this person's legal moves, also in a seat that they are offered; null: not their turn */
  get legal() {
    const state = this.#options.state();
    if (isMyTurn(state)) return state.legal;
    return !this.#first && this.#options.invitation.seatOffered(state) === turn(state) ? state.legal : null;
  }

  /**
   * What the board shows of the game.
   * @param {number} ply half-moves made @param {string} fen the position after them @returns {View}
   */
  viewAt(ply, fen) {
    const state = this.#options.state();
    const past = ply !== state.plies.length;
    const sent = past ? null : (state.sent?.uci ?? this.#first ?? this.#waiting?.uci ?? null);
    const own = state.you ?? this.#options.invitation.seatOffered(state);
    return {
      fen,
      lastMove: sent ? lastMoveSquares(sent) : lastMoveAt(state, ply),
      check: isCheckAt(state, ply),
      side: state.ended || this.#waiting ? null : own,
      legal: this.legal,
      sent,
      past,
    };
  }

  /** @param {string} uci legal @param {boolean} premoved whether it was set before it was this person's turn */
  make(uci, premoved) {
    if (
      needsConfirmation(/** @type {ConfirmMoves} */ (preference('confirm') ?? 'days'), this.#options.state(), premoved)
    )
      this.#ask(uci);
    else this.#play(uci);
  }

  /** Whether a move waits for its player to confirm it. */
  get isWaiting() {
    return this.#waiting !== null;
  }

  /** Asks whether an answer that was prepared is to be played. @param {string} uci @returns {boolean} whether it can be */
  suggest(uci) {
    if (!this.legal?.includes(uci)) return false;
    this.#ask(uci);
    return true;
  }

  /** Lets go of a waiting move that the game has overtaken. @returns {boolean} whether there was one */
  letGo() {
    if (!this.#waiting || canStillBeMade(this.#waiting, this.#options.state(), this.legal)) return false;
    this.#stopWaiting();
    return true;
  }

  /** @param {string} uci */
  #ask(uci) {
    const { variant, state, changed, say } = this.#options;
    this.#waiting = waitingMove(state(), uci);
    changed();
    const move = writeMove(uci, variant, parseFen(state().fen), this.legal ?? []);
    this.#question.ask(t('round.confirm_move', { move }));
    say(t('round.confirm_how', { move: speakSan(variant, move) }));
  }

  #confirm() {
    const uci = this.#waiting?.uci;
    this.#stopWaiting();
    if (uci) this.#play(uci);
  }

  #takeBack() {
    this.#stopWaiting();
    this.#options.leave();
    this.#options.changed();
    this.#options.say(t('round.taken_back'));
  }

  #stopWaiting() {
    this.#waiting = null;
    this.#question.close();
  }

  /** @param {string} uci */
  #play(uci) {
    if (this.#options.invitation.seatOffered(this.#options.state())) void this.#sitAndPlay(uci);
    else this.#options.send(uci);
  }

  /** Takes a free seat by making its first move. @param {string} uci */
  async #sitAndPlay(uci) {
    this.#first = uci;
    this.#options.leave();
    this.#options.changed();
    await this.#options.invitation.accept();
    this.#first = null;
    if (this.#options.state().you && this.legal?.includes(uci)) this.#options.send(uci);
    else this.#options.changed();
  }
}

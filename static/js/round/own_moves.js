/**
 * The moves of this person, on their way from the board to the server: each waits for its player to confirm it if they
 * want to be asked, and takes the free seat if it is made from an invitation. Knows no socket.
 *
 * @import { View } from '../board/board.js'
 * @import { Variant } from '../board/variant.js'
 * @import { GameState } from '../game/model.js'
 * @import { Invitation } from './invitation/invitation.js'
 * @typedef {'days' | 'always' | 'never'} ConfirmMoves   the player's preference: in correspondence games, in all, in none
 * @typedef {{uci: string, ply: number, fen: string}} WaitingMove   ply: half-moves made before it; fen: the position then
 */
import { lastMoveSquares, parseFen } from '../board/position.js';
import { isMyTurn, turn } from '../game/model.js';
import { isCheckAt, lastMoveAt } from '../game/navigation.js';
import { speakSan } from '../game/san.js';
import { writeMove } from '../game/write_move.js';
import { preference } from '../ui/preferences.js';
import { t } from '../words.js';
import { buttonById, byId } from '../ui/dom.js';
import { isByDays } from '../game/terms.js';

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

// The two buttons at the player's own seat, for a move that waits to be confirmed: play it, or take it back. Enter and
// Escape do the same. Knows no game.

/** Elements on which Enter has its own meaning. In the field for moves it has one only while something is typed there. */
const OWN_ENTER = 'a, button, summary, select, textarea, input:not(#move-text)';

export class ConfirmMove {
  #options;
  #bar = byId('confirm-move');
  #play = buttonById('confirm-play');
  /** @type {Element | null} what had the focus before the question */
  #before = null;

  /** @param {{play: () => void, takeBack: () => void}} options */
  constructor(options) {
    this.#options = options;
    this.#play.addEventListener('click', options.play);
    byId('confirm-take-back').addEventListener('click', options.takeBack);
    // Ahead of the board, which has a use of its own for both keys.
    document.addEventListener('keydown', event => this.#press(event), { capture: true });
  }

  /** Shows the buttons, and gives the focus to the first. @param {string} words on it */
  ask(words) {
    this.#play.textContent = words;
    if (this.#bar.hidden) this.#before = document.activeElement;
    this.#bar.hidden = false;
    this.#play.focus();
  }

  /** Hides the buttons. The focus returns to where it was, unless it has gone elsewhere since. */
  close() {
    const inside = this.#bar.contains(document.activeElement);
    this.#bar.hidden = true;
    if (inside && this.#before instanceof HTMLElement) this.#before.focus({ preventScroll: true });
    this.#before = null;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (this.#bar.hidden || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (document.querySelector('dialog[open], :popover-open')) return;
    const act = this.#actionOf(event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {KeyboardEvent} event @returns {(() => void) | null} null: the key is not for this question */
  #actionOf({ key, repeat, target }) {
    if (key === 'Escape') return this.#options.takeBack;
    if (key !== 'Enter') return null;
    // The key that put the piece down, and is still held, must not confirm it.
    if (repeat) return () => {};
    const typed = target instanceof HTMLInputElement && target.value.trim() !== '';
    return typed || (target instanceof Element && target.closest(OWN_ENTER)) ? null : this.#options.play;
  }
}

// Whether a move waits until its player confirms it, and for how long it can. Pure; knows no element.

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

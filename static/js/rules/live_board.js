/**
 * One board that shows positions and takes legal moves, by mouse, finger and keyboard. Judges nothing, and knows neither
 * lesson nor server.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { VariantAtStart } from './free_play.js'
 * @typedef {object} Shown
 * @property {string} fen
 * @property {boolean} check
 * @property {string | undefined} [last] UCI of the move that led there
 * @property {string[] | null} legal UCI; null: nothing can be moved now
 * @property {string | null} [sent] a move that has no answer yet
 * @property {boolean} [waiting] is an answer about the moves awaited?
 */
import { BoardKeys } from '../board/keyboard.js';
import { lastMoveSquares, squareWords } from '../board/position.js';
import { turnOf } from '../game/model.js';
import { styleBoard } from '../../pieces/board_style.mjs';
import { Board } from '../board/board.js';
import { SmallSquares } from '../board/small_squares.js';
import { askChoice } from '../ui/board/choice.js';
import { checkCount } from '../ui/board/check_count.js';
import { create } from '../ui/dom.js';
import { showPieceReach } from '../ui/board/piece_reach.js';
import { t } from '../words.js';

export class LiveBoard {
  #variant;
  #board;
  #squares;
  #checks;
  /** Takes the moves that are made on the board. @type {(uci: string) => void} */
  onMove = () => {};

  /**
   * @param {VariantAtStart} variant
   * @param {(text: string) => void} say called with words about the piece under the pointer or the keyboard's cursor; '' if there is none
   * @param {string} label names the board for screen readers
   */
  constructor(variant, say, label) {
    const { whole, element, pockets, board } = createBoard(variant, uci => this.onMove(uci), say);
    this.#variant = variant;
    this.#checks = create('p', 'stage-checks');
    if (variant.checks) whole.append(this.#checks);
    this.element = whole;
    this.#board = board;
    this.#squares = element;
    element.tabIndex = 0;
    element.setAttribute('role', 'application');
    element.setAttribute('aria-label', label);
    new BoardKeys({ element, board, variant, pockets, say: say });
  }

  /** @param {Shown} shown */
  show({ fen, check, last, legal, sent = null, waiting = sent !== null }) {
    this.#squares.setAttribute('aria-busy', String(waiting));
    this.#board.show({
      fen,
      check: check && !sent,
      lastMove: lastMoveSquares(sent ?? last),
      side: legal ? turnOf(fen) : null,
      legal,
      sent,
    });
    if (this.#variant.checks) this.#checks.replaceChildren(this.#counted('white'), ' · ', this.#counted('black'));
  }

  /** A side and how many checks it has given. @param {'white' | 'black'} side */
  #counted(side) {
    const name = create('span', '', t(side === 'white' ? 'terms.white' : 'terms.black'));
    name.ariaHidden = 'true';
    return create('span', '', name, ' ', ...checkCount(this.#variant, this.#board.position, side));
  }

  /** @param {'white' | 'black'} side the one at the bottom */
  face(side) {
    this.#board.setOrientation(side);
  }

  focus() {
    this.#squares.focus({ preventScroll: true });
  }
}

// Creates a board with both pockets, styled and showing where pieces go, for pages whose template has none. Knows no game; the caller
// shows the positions.

/**
 * @param {Variant} variant
 * @param {(uci: string) => void} onMove
 * @param {(text: string) => void} say words about the piece under the pointer; '' if there is none
 */
function createBoard(variant, onMove, say) {
  const [top, element, bottom] = ['pocket', 'board', 'pocket'].map(name => create('div', name));
  const look = variant.pocket === 'none' ? 'stage-board' : 'stage-board with-pockets';
  const whole = create('div', look, top, element, bottom);
  styleBoard(whole, variant);
  /** @type {Board} */
  const board = new Board({
    element,
    pocketTop: top,
    pocketBottom: bottom,
    variant,
    onMove,
    choose: question => askChoice(variant, element, board.orientation, question),
  });
  showPieceReach(variant, board, [whole], say);
  new SmallSquares(element, board, variant, at => say(at ? squareWords(variant, board.position, at) : ''));
  return { whole, element, pockets: { top, bottom }, board };
}

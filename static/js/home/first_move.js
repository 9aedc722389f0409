/**
 * The live board of a variant in its start position: shows where each piece can go, and takes one move, which becomes the
 * creator's first. Knows no forms and no network.
 *
 * @typedef {import('../board/variant.js').Variant & {legal: string[], shuffled?: true}} VariantAtStart   a variant and its legal first moves, UCI; shuffled: from a start of its 960 form
 */
import { lastMoveSquares } from '../board/position.js';
import { createBoard } from '../ui/create_board.js';

export class FirstMove {
  #variant;
  #board;
  #onChange;
  #frozen = false;
  /** @type {string | null} */
  #move = null;

  /**
   * @param {VariantAtStart} variant
   * @param {() => void} onChange a move has been made or taken back by hand
   * @param {(text: string) => void} say words about the piece under the pointer; '' if there is none
   */
  constructor(variant, onChange, say) {
    this.#variant = variant;
    this.#onChange = onChange;
    const { whole, board } = createBoard(variant, uci => this.#made(uci), say);
    this.element = whole;
    this.#board = board;
    this.#show();
  }

  /** @returns {string | null} the move, UCI */
  get move() {
    return this.#move;
  }

  takeBack() {
    this.#move = null;
    this.#show();
  }

  /** Prevents moves while the start position is not known yet. @param {boolean} frozen */
  freeze(frozen) {
    this.#frozen = frozen;
    this.takeBack();
  }

  /** @param {string} uci */
  #made(uci) {
    this.#move = uci;
    this.#show();
    this.#onChange();
  }

  #show() {
    const { startFen, legal } = this.#variant;
    const open = !this.#move && !this.#frozen;
    this.#board.show({
      fen: startFen,
      lastMove: lastMoveSquares(this.#move),
      check: false,
      side: open ? 'white' : null,
      legal: open ? legal : null,
      sent: this.#move,
    });
  }
}

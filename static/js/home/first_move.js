/**
 * The live board of a variant at its start: shows where every piece goes, and takes one move, which becomes the
 * creator's first. Used by the front page and by the pages of the variants. Knows no forms and no network.
 *
 * @typedef {import('../board/variant.js').Variant & {legal: string[]}} Start   a variant and its legal first moves, UCI
 */
import { Board } from '../board/board.js';
import { hintForPocket, hintForSquare, watchPointer } from '../board/hints.js';
import { fromLibraryRole } from '../board/geometry.js';
import { parseUci, squaresOf } from '../board/position.js';
import { dress } from '../../pieces/dress.mjs';
import { askChoice } from '../ui/choice.js';

export class FirstMove {
  #variant;
  #board;
  #onChange;
  #frozen = false;
  /** @type {string | null} */
  #move = null;

  /**
   * @param {Start} variant
   * @param {() => void} onChange a move has been made or taken back by hand
   * @param {(text: string) => void} say words about the piece under the pointer; '' when there is none
   */
  constructor(variant, onChange, say) {
    this.#variant = variant;
    this.#onChange = onChange;
    const [pocketTop, element, pocketBottom] = ['pocket', 'board', 'pocket'].map(name => {
      const part = document.createElement('div');
      part.className = name;
      return part;
    });
    this.element = document.createElement('div');
    this.element.className = variant.pocket === 'none' ? 'stage-board' : 'stage-board with-hands';
    this.element.append(pocketTop, element, pocketBottom);
    dress(this.element, variant);
    this.#board = new Board({
      element, pocketTop, pocketBottom, variant, onMove: uci => this.#made(uci),
      choose: (options, color, signal) => askChoice(variant, options, color, signal),
    });
    watchPointer(this.element, at => this.#hint(at, say));
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

  /** Whether moves can be made at all: not when the start position is not known yet. @param {boolean} frozen */
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
      lastMove: this.#move ? squaresOf(parseUci(this.#move)) : [],
      check: false,
      side: open ? 'white' : null,
      legal: open ? legal : null,
      sent: this.#move,
    });
  }

  /** @param {{x: number, y: number, target: Element} | null} at @param {(text: string) => void} say */
  #hint(at, say) {
    const board = this.#board;
    const role = at?.target.getAttribute('data-role');
    const square = at && !role ? board.squareAt(at.x, at.y) : null;
    let hint = square && !board.isHolding ? hintForSquare(this.#variant, board.position, square) : null;
    if (at && role) {
      const color = at.target.getAttribute('data-color') === 'black' ? 'black' : 'white';
      hint = hintForPocket(this.#variant, board.position, color, fromLibraryRole(role));
    }
    board.overlay.showHint(hint);
    say(hint?.text ?? '');
  }
}

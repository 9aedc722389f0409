/**
 * A board on which one person moves both sides. Every move is judged by the server; between its answers nothing can be
 * moved. Knows no page: who makes one says what is to be said.
 *
 * @typedef {import('../home/first_move.js').Start} Start
 * @typedef {{uci: string, fen: string, check: boolean}} Ply
 * @typedef {{fen: string, check: boolean, plies: Ply[], legal: string[], outcome: {result: string} | null}} Line
 */
import { Board } from '../board/board.js';
import { BoardKeys } from '../board/keyboard.js';
import { hintForPocket, hintForSquare, watchPointer } from '../board/hints.js';
import { fromLibraryRole } from '../board/geometry.js';
import { parseUci, squaresOf } from '../board/position.js';
import { dress } from '../../pieces/dress.mjs';
import { askChoice } from '../ui/choice.js';

export class TryBoard {
  #variant;
  #board;
  #onLine;
  #onHint;
  /** @type {Line} the last answer */
  #line;

  /**
   * @param {Start} variant
   * @param {(line: Line | null) => void} onLine a new position is shown; null: the server did not answer
   * @param {(text: string) => void} onHint words on the piece under the pointer or the keys; '' when there is none
   * @param {string} label what the board is called for those who do not see it
   */
  constructor(variant, onLine, onHint, label) {
    this.#variant = variant;
    this.#onLine = onLine;
    this.#onHint = onHint;
    this.#line = { fen: variant.startFen, check: false, plies: [], legal: variant.legal, outcome: null };
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
      element, pocketTop, pocketBottom, variant, onMove: uci => void this.#play([...this.#moves(), uci]),
      choose: (options, color, signal) => askChoice(variant, options, color, signal),
    });
    element.tabIndex = 0;
    element.setAttribute('role', 'application');
    element.setAttribute('aria-label', label);
    new BoardKeys({
      element, board: this.#board, variant, pockets: { top: pocketTop, bottom: pocketBottom }, say: onHint,
    });
    watchPointer(this.element, at => this.#hint(at));
    this.#show();
  }

  /** @returns {Promise<void>} */
  back() {
    return this.#play(this.#moves().slice(0, -1));
  }

  /** @returns {Promise<void>} */
  restart() {
    return this.#play([]);
  }

  #moves() {
    return this.#line.plies.map(({ uci }) => uci);
  }

  /** @param {string[]} moves */
  async #play(moves) {
    this.#show(moves.length > this.#line.plies.length ? moves[moves.length - 1] : null, true);
    const line = await this.#ask(moves);
    if (line) this.#line = line;
    this.#show();
    this.#onLine(line);
  }

  /** @param {string[]} moves @returns {Promise<Line | null>} */
  async #ask(moves) {
    try {
      const answer = await fetch(`/api/variants/${this.#variant.id}/line`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ moves }),
      });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  /** @param {string | null} [sent] a move on its way to the server @param {boolean} [waiting] */
  #show(sent = null, waiting = false) {
    const { fen, check, plies, legal } = this.#line;
    const last = sent ?? plies.at(-1)?.uci;
    const position = plies.at(-1) ?? { fen, check };
    this.#board.show({
      fen: position.fen,
      check: position.check && !sent,
      lastMove: last ? squaresOf(parseUci(last)) : [],
      side: waiting ? null : position.fen.split(' ')[1] === 'w' ? 'white' : 'black',
      legal: waiting ? null : legal,
      sent,
    });
  }

  /** @param {{x: number, y: number, target: Element} | null} at */
  #hint(at) {
    const board = this.#board;
    const role = at?.target.getAttribute('data-role');
    const square = at && !role ? board.squareAt(at.x, at.y) : null;
    let hint = square && !board.isHolding ? hintForSquare(this.#variant, board.position, square) : null;
    if (at && role) {
      const color = at.target.getAttribute('data-color') === 'black' ? 'black' : 'white';
      hint = hintForPocket(this.#variant, board.position, color, fromLibraryRole(role));
    }
    board.overlay.showHint(hint);
    this.#onHint(hint?.text ?? '');
  }
}

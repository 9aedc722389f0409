/**
 * A board on which one person plays both sides. The server judges every move, and nothing can be moved until it has
 * answered. Knows no page: the caller supplies the words.
 *
 * @import { VariantAtStart } from '../home/first_move.js'
 * @typedef {{uci: string, fen: string, check: boolean}} Ply
 * @typedef {{fen: string, check: boolean, plies: Ply[], legal: string[], outcome: {result: string} | null}} Line
 */
import { BoardKeys } from '../board/keyboard.js';
import { lastMoveSquares } from '../board/position.js';
import { turnOf } from '../game/model.js';
import { requestJson } from '../net/requests.js';
import { createBoard } from '../ui/create_board.js';

export class TryBoard {
  #variant;
  #board;
  /** @type {HTMLElement} */
  #squares;
  #onLine;
  /** @type {Line} the last answer */
  #line;
  /** @type {string[]} UCI: the moves that are shown, as soon as the server has judged them */
  #moves = [];

  /**
   * @param {VariantAtStart} variant
   * @param {(line: Line | null) => void} onLine called for each new position; null: the server did not answer
   * @param {(text: string) => void} onHint called with words about the piece under the pointer or the keyboard's cursor; '' if there is none
   * @param {string} label names the board for screen readers
   */
  constructor(variant, onLine, onHint, label) {
    this.#variant = variant;
    this.#onLine = onLine;
    this.#line = { fen: variant.startFen, check: false, plies: [], legal: variant.legal, outcome: null };
    const { whole, element, pockets, board } = createBoard(
      variant,
      uci => void this.#play([...this.#moves, uci]),
      onHint,
    );
    this.element = whole;
    this.#board = board;
    this.#squares = element;
    element.tabIndex = 0;
    element.setAttribute('role', 'application');
    element.setAttribute('aria-label', label);
    new BoardKeys({ element, board, variant, pockets, say: onHint });
    this.#show();
  }

  /** @returns {Promise<void>} */
  back() {
    return this.#play(this.#moves.slice(0, -1));
  }

  /** @returns {Promise<void>} */
  restart() {
    return this.#play([]);
  }

  /** @param {string[]} moves */
  async #play(moves) {
    this.#moves = moves;
    this.#show(moves.length > this.#line.plies.length ? moves[moves.length - 1] : null, true);
    const line = await this.#ask(moves);
    // Something else was asked for meanwhile: its answer is the one that counts.
    if (this.#moves !== moves) return;
    if (line) this.#line = line;
    else this.#moves = this.#line.plies.map(({ uci }) => uci);
    this.#show();
    this.#onLine(line);
  }

  /** @param {string[]} moves @returns {Promise<Line | null>} */
  #ask(moves) {
    const { shuffled, startFen } = this.#variant;
    const question = { moves, ...(shuffled ? { fen: startFen, chess960: true } : {}) };
    return requestJson(`/api/variants/${this.#variant.id}/line`, 'POST', question).catch(() => null);
  }

  /** @param {string | null} [sent] a move that the server has not answered @param {boolean} [waiting] */
  #show(sent = null, waiting = false) {
    const { fen, check, plies, legal } = this.#line;
    const last = sent ?? plies.at(-1)?.uci;
    const position = plies.at(-1) ?? { fen, check };
    this.#squares.setAttribute('aria-busy', String(waiting));
    this.#board.show({
      fen: position.fen,
      check: position.check && !sent,
      lastMove: lastMoveSquares(last),
      side: waiting ? null : turnOf(position.fen),
      legal: waiting ? null : legal,
      sent,
    });
  }
}

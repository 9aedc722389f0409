/**
 * One person plays both sides. The server judges every move, and nothing can be moved until it has answered. Knows no
 * page: the caller supplies the words.
 *
 * @import { LiveBoard } from './live_board.js'
 * @typedef {import('../board/variant.js').Variant & {legal?: string[], shuffled?: boolean, given?: true, asked?: Promise<TriedLine | null>}}
 *   VariantAtStart a variant and its legal first moves, UCI, if they are known; shuffled: from a start of its 960 form;
 *   given: from a position of one's own; asked: what `askAhead` waits for
 * @typedef {{uci: string, fen: string, check: boolean}} Ply
 * @typedef {{fen: string, check: boolean, plies: Ply[], legal: string[], outcome: {result: string} | null}} TriedLine
 */
import { requestJson } from '../net/requests.js';

/** @param {VariantAtStart} variant @param {string[]} moves UCI @returns {Promise<TriedLine | null>} null: no answer */
function ask({ id, startFen, shuffled, given }, moves) {
  const question = { moves, ...(shuffled || given ? { fen: startFen, chess960: Boolean(shuffled) } : {}) };
  return requestJson(`/api/variants/${id}/line`, 'POST', question).catch(() => null);
}

/** Asks once for the first moves of a variant, as somebody seems to be about to choose it. @param {VariantAtStart} variant */
export function askAhead(variant) {
  if (variant.legal) return;
  variant.asked ??= ask(variant, []).then(line => {
    variant.legal = line?.legal;
    variant.asked = undefined;
    return line;
  });
}

export class FreePlay {
  #board;
  #variant;
  #onLine;
  /** @type {TriedLine} the last answer */
  #line;
  /** @type {string[]} UCI: the moves that are shown, as soon as the server has judged them */
  #moves = [];

  /**
   * @param {LiveBoard} board @param {VariantAtStart} variant
   * @param {(line: TriedLine | null) => void} onLine called for each new position; null: the server did not answer
   */
  constructor(board, variant, onLine) {
    this.#board = board;
    this.#variant = variant;
    this.#onLine = onLine;
    this.#line = { fen: variant.startFen, check: false, plies: [], legal: [], outcome: null };
  }

  /** Shows where the game stands, and takes the moves of the board from now on, or once the first ones are known. */
  begin() {
    this.#board.onMove = uci => void this.#play([...this.#moves, uci]);
    const { legal, asked } = this.#variant;
    if (!legal) {
      void this.#play([], asked);
      return;
    }
    this.#line = { ...this.#line, legal };
    this.#show();
    this.#onLine(this.#line);
  }

  /** @returns {Promise<void>} */
  back() {
    return this.#play(this.#moves.slice(0, -1));
  }

  /** @returns {Promise<void>} */
  restart() {
    return this.#play([]);
  }

  /** @param {string[]} moves @param {Promise<TriedLine | null>} answer */
  async #play(moves, answer = ask(this.#variant, moves)) {
    this.#moves = moves;
    this.#show(moves.length > this.#line.plies.length ? moves[moves.length - 1] : null, true);
    const line = await answer;
    // Something else was asked for meanwhile: its answer is the one that counts.
    if (this.#moves !== moves) return;
    if (line) this.#line = line;
    else this.#moves = this.#line.plies.map(({ uci }) => uci);
    this.#show();
    this.#onLine(line);
  }

  /** @param {string | null} [sent] a move that the server has not answered @param {boolean} [waiting] */
  #show(sent = null, waiting = false) {
    const { fen, check, plies, legal } = this.#line;
    const { fen: now, check: inCheck } = plies.at(-1) ?? { fen, check };
    this.#board.show({
      fen: now,
      check: inCheck,
      last: plies.at(-1)?.uci,
      legal: waiting ? null : legal,
      sent,
      waiting,
    });
  }
}

/**
 * One step of a lesson on the board: takes one move, asks the server whether it does what the step asks, and shows what
 * refutes it if not. Knows no page; the caller shows the words.
 *
 * @import { LiveBoard } from './live_board.js'
 * @import { Progress, TaskVerdict } from './progress.js'
 * @typedef {{id: string, name: string, say: string, well: string, fen: string, check: boolean, last: string, legal: string[], show: string}} Step
 *   show: a move that does it, UCI; '' if there is nothing to do but look
 */
import { judge } from './progress.js';

/** How long a move stands before the reply to it is shown. */
const REPLY_AFTER_MS = 700;

export class Lesson {
  #board;
  #id;
  #progress;
  #onVerdict;
  /** @type {Step | null} */
  #step = null;
  /** Grows with everything that is shown, so that an answer to something else is recognised as late. */
  #turn = 0;

  /**
   * @param {LiveBoard} board @param {string} id @param {Progress} progress
   * @param {(verdict: TaskVerdict | null) => void} onVerdict null: the server did not answer
   */
  constructor(board, id, progress, onVerdict) {
    this.#board = board;
    this.#id = id;
    this.#progress = progress;
    this.#onVerdict = onVerdict;
  }

  /** Shows a step, and takes the moves of the board from now on. @param {Step} step */
  open(step) {
    this.#step = step;
    this.#turn++;
    this.#board.onMove = uci => void this.#try(step, uci);
    const { fen, check, last } = step;
    this.#board.show({ fen, check, last, legal: step.show ? step.legal : null });
  }

  /** Shows the step as it was before the last move. */
  again() {
    if (this.#step) this.open(this.#step);
  }

  /** Plays a move that does what the step asks. */
  showSolution() {
    if (this.#step?.show) void this.#try(this.#step, this.#step.show);
  }

  /** @param {Step} step @param {string} uci */
  async #try(step, uci) {
    const turn = ++this.#turn;
    this.#board.show({ ...step, legal: null, sent: uci });
    const verdict = await judge(this.#id, step.id, uci).catch(() => null);
    if (turn !== this.#turn) return;
    if (verdict?.solved) this.#progress.note(this.#id, step.id, uci);
    if (verdict) this.#stand(verdict);
    else this.open(step);
    this.#onVerdict(verdict);
    if (!verdict?.reply) return;
    const { reply } = verdict;
    setTimeout(() => turn === this.#turn && this.#stand(reply), REPLY_AFTER_MS);
  }

  /** @param {import('./progress.js').After} after */
  #stand({ fen, check, uci }) {
    this.#board.show({ fen, check, last: uci, legal: null });
  }
}

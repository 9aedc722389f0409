/**
 * One puzzle on the board: shows it, has the server judge each move, and shows the reply. The server alone knows the
 * solution. Knows no element.
 *
 * @import { LiveBoard } from '../rules/live_board.js'
 * @import { Remembered, Standing } from './remembered.js'
 * @typedef {{uci: string, fen: string, check: boolean}} Reached
 * @typedef {{id: string, chess960: boolean, fen: string, check: boolean, last: string, legal: string[], turn: 'white' | 'black', say: string}} Puzzle
 * @typedef {{standing: Standing, gained: number}} Settled
 * @typedef {{rating: number, themes: string[], game: string | null, moves: string[]}} About
 * @typedef {{right: boolean, solved: boolean, say: string, after: Reached, reply: (Reached & {legal: string[]}) | null, settled: Settled | null, about: About | null}} PuzzleVerdict
 * @typedef {{line: Reached[], settled: Settled | null, about: About}} Solution
 */
import { requestJson } from '../net/requests.js';

/** How long a move stands before the next one is shown, ms. */
const PAUSE_MS = 700;

export class Solving {
  #board;
  #remembered;
  /** @type {Puzzle | null} */
  #puzzle = null;
  /** The right moves so far, UCI. @type {string[]} */
  #moves = [];
  /** Where they led. @type {Pick<Puzzle, 'fen' | 'check' | 'last' | 'legal'> | null} */
  #stand = null;
  /** Grows with everything that is shown, so that an answer to something else is recognised as late. */
  #turn = 0;

  /** @param {LiveBoard} board @param {Remembered} remembered @param {(verdict: PuzzleVerdict | null) => void} onVerdict null: the server did not answer */
  constructor(board, remembered, onVerdict) {
    this.#board = board;
    this.#remembered = remembered;
    board.onMove = uci => void this.#try(uci, onVerdict);
  }

  /** @param {Puzzle} puzzle */
  open(puzzle) {
    this.#puzzle = puzzle;
    this.#board.face(puzzle.turn);
    this.#moves = [];
    this.#stand = puzzle;
    this.again();
  }

  /** Shows where the right moves led, and waits for another. */
  again() {
    this.#turn++;
    if (this.#stand) this.#board.show(this.#stand);
  }

  /** Gives up. @returns {Promise<Solution | null>} null: the server did not answer, or something else was asked for */
  async giveUp() {
    const puzzle = this.#puzzle;
    if (!puzzle) return null;
    const turn = ++this.#turn;
    const body = this.#remembered.trying(puzzle.id);
    const solution = await requestJson(`/api/puzzles/${puzzle.id}/solution`, 'POST', body).catch(() => null);
    if (turn !== this.#turn) return null;
    if (!solution) this.again();
    else {
      this.#keep(puzzle, solution.settled);
      this.#board.show({ ...puzzle, legal: null });
      this.#replay(solution.line, turn);
    }
    return solution;
  }

  /** @param {string} uci @param {(verdict: PuzzleVerdict | null) => void} onVerdict */
  async #try(uci, onVerdict) {
    const [puzzle, stand] = [this.#puzzle, this.#stand];
    if (!puzzle || !stand) return;
    const turn = ++this.#turn;
    this.#board.show({ ...stand, legal: null, sent: uci });
    const moves = [...this.#moves, uci];
    const body = { moves, ...this.#remembered.trying(puzzle.id) };
    /** @type {PuzzleVerdict | null} */
    const verdict = await requestJson(`/api/puzzles/${puzzle.id}`, 'POST', body).catch(() => null);
    if (verdict) this.#keep(puzzle, verdict.settled);
    if (turn !== this.#turn) return;
    if (!verdict) this.again();
    else {
      this.#show(verdict.after);
      if (verdict.reply) this.#goOn(moves, verdict.reply, turn);
    }
    onVerdict(verdict);
  }

  /** @param {string[]} moves @param {Reached & {legal: string[]}} reply @param {number} turn */
  #goOn(moves, reply, turn) {
    this.#moves = moves;
    this.#stand = { ...reply, last: reply.uci };
    setTimeout(() => turn === this.#turn && this.again(), PAUSE_MS);
  }

  /** @param {Reached[]} line @param {number} turn */
  #replay([first, ...rest], turn) {
    setTimeout(() => {
      if (turn !== this.#turn) return;
      this.#show(first);
      if (rest.length) this.#replay(rest, turn);
    }, PAUSE_MS);
  }

  /** @param {Reached} reached */
  #show({ fen, check, uci }) {
    this.#board.show({ fen, check, last: uci, legal: null });
  }

  /** @param {Puzzle} puzzle @param {Settled | null} settled */
  #keep(puzzle, settled) {
    if (settled) this.#remembered.keep(puzzle.id, settled.standing);
  }
}

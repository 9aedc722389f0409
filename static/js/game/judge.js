/**
 * Asks the server where moves lead and what is legal, and remembers the answers while the page is open, so that going back
 * and forth asks nothing. Judges nothing itself.
 *
 * @import { PlayedMove, Steps } from './tree.js'
 * @typedef {{result: string, winner: 'white' | 'black' | null, reason: string}} Outcome
 * @typedef {{legal: string[], outcome: Outcome | null}} Verdict   on one position
 * @typedef {Verdict & {fen: string, check: boolean, plies: PlayedMove[]}} JudgedLine   fen, check: of its start
 * @typedef {{tags: Record<string, string>, result: string, comments: string[]}} PgnInfo   what a PGN says about the game as a whole
 * @typedef {Omit<JudgedLine, keyof Verdict> & PgnInfo & {variant: string, chess960: boolean, white: string, black: string, steps: Steps, whole: boolean, mended: {where: string, message: string}[]}} PgnGame
 *   steps: the tree of its moves, in the order of plies; whole: false if the variations were left out; mended: what was read
 *   otherwise than it was written
 */
import { requestJson } from '../net/requests.js';

export class Judge {
  #url;
  /** @type {Map<string, Verdict>} by form and FEN */
  #verdicts = new Map();

  /** @param {string} variant id */
  constructor(variant) {
    this.#url = `/api/variants/${variant}/line`;
  }

  /** @param {boolean} chess960 @param {string} fen @returns {Verdict | null} null: ask for it */
  known(chess960, fen) {
    return this.#verdicts.get(keyOf(chess960, fen)) ?? null;
  }

  /** @param {boolean} chess960 @param {string} fen @param {Verdict} verdict */
  remember(chess960, fen, { legal, outcome }) {
    this.#verdicts.set(keyOf(chess960, fen), { legal, outcome });
  }

  /**
   * @param {{fen: string | null, chess960: boolean, steps: Steps}} line   fen null: the variant's start position
   * @returns {Promise<JudgedLine>} @throws {RequestFailed}
   */
  async line({ fen, chess960, steps }) {
    const line = await requestJson(this.#url, 'POST', { ...(fen ? { fen } : {}), chess960, moves: steps });
    this.remember(chess960, line.plies.at(-1)?.fen ?? line.fen, line);
    return line;
  }

  /** Reads a game of any variant. @param {string} pgn @returns {Promise<PgnGame>} @throws {RequestFailed} */
  game(pgn) {
    return requestJson('/api/analysis/pgn', 'POST', { pgn });
  }
}

/** @param {boolean} chess960 @param {string} fen */
const keyOf = (chess960, fen) => `${chess960 ? 960 : ''} ${fen}`;

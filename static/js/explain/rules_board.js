/**
 * The rules on this page: a board that judges the moves of one game as the server will, by the engine's rules, which are held
 * to the server's by counting. Knows no page.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { Tables } from '../engine/rules/tables.js'
 * @import { Ended } from '../net/wire.js'
 */
import { parseFen as readFen } from '../board/position.js';
import { outcome } from '../engine/rules/endings.js';
import { generate } from '../engine/rules/generation.js';
import { make, unmake } from '../engine/rules/making.js';
import { NO_MOVE } from '../engine/rules/moves.js';
import { parseFen, writeFen } from '../engine/rules/notation/fen.js';
import { legalUcis, parseMove, writeMove as writeUci } from '../engine/rules/notation/uci.js';
import { writeMove } from '../game/write_move.js';

/** From then on a game is drawn, as by the move rule (server: games/changes/playing). */
export const MAX_PLIES = 2_000;
const SIDES = /** @type {const} */ (['white', 'black']);

export class RulesBoard {
  #variant;
  #position;
  /** Moves have no sign of check there, as in Fairy-Stockfish. */
  #explodes;

  /**
   * @param {Variant} variant as pages know it @param {Tables} tables the same for the rules
   * @param {string} fen @param {boolean} chess960 @throws {Error} it is no position of the variant
   */
  constructor(variant, tables, fen, chess960) {
    this.#variant = variant;
    this.#explodes = tables.around !== null;
    this.#position = parseFen(tables, fen, chess960);
  }

  get fen() {
    return writeFen(this.#position);
  }

  /** Whose turn it is. */
  get turn() {
    return SIDES[this.#position.side];
  }

  /** Whether that side is in check. */
  get check() {
    generate(this.#position, 0);
    return this.#position.checks > 0;
  }

  /** In UCI. */
  get legal() {
    return legalUcis(this.#position);
  }

  /** Half-moves made on it. */
  get plies() {
    return this.#position.ply;
  }

  /** @returns {Ended | null} how the game ends with this position, if it does */
  get ended() {
    const ending = outcome(this.#position);
    if (!ending && this.plies >= MAX_PLIES) return { result: '1/2-1/2', reason: 'move-rule' };
    if (!ending) return null;
    const { winner, reason } = ending;
    return winner === null ? { result: '1/2-1/2', reason } : { ...wonBy(SIDES[winner]), reason };
  }

  /** Plays a move. @param {string} text in UCI @returns {{uci: string, san: string} | null} null: it is not legal */
  play(text) {
    const { legal, fen } = this;
    const move = parseMove(this.#position, text);
    if (move === NO_MOVE) return null;
    const uci = writeUci(this.#position, move);
    const san = writeMove(uci, this.#variant, readFen(fen), legal);
    make(this.#position, move);
    const mark = this.check && !this.#explodes ? (this.legal.length ? '+' : '#') : '';
    return { uci, san: san + mark };
  }

  /** Takes back the last half-moves. @param {number} count at most as many as were made */
  takeBack(count) {
    for (let taken = 0; taken < count; taken++) unmake(this.#position);
  }
}

/** @param {'white' | 'black'} winner @returns {{result: string, winner: 'white' | 'black'}} */
export const wonBy = winner => ({ result: winner === 'white' ? '1-0' : '0-1', winner });

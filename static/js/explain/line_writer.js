/**
 * Turns lines of the engine into moves that people read, by the engine's own rules. Knows one variant and no page.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { VariantRules } from '../engine/rules/variant_rules.js'
 * @typedef {{uci: string, san: string, fen: string, number: string}} WrittenMove   fen: after it; number: "12." or ''
 */
import { halfMovesBefore, moveNumber } from '../board/position.js';
import { make } from '../engine/rules/making.js';
import { NO_MOVE } from '../engine/rules/moves.js';
import { parseFen, writeFen } from '../engine/rules/notation/fen.js';
import { compile } from '../engine/rules/tables.js';
import { RulesBoard } from './rules_board.js';

export class LineWriter {
  #variant;
  #tables;

  /** @param {Variant} variant @param {VariantRules} rules of the same variant */
  constructor(variant, rules) {
    this.#variant = variant;
    this.#tables = compile(rules);
  }

  /**
   * @param {string} fen @param {boolean} chess960 @param {string[]} ucis the line; what is not legal ends it
   * @returns {WrittenMove[]}
   */
  write(fen, chess960, ucis) {
    const board = new RulesBoard(this.#variant, this.#tables, fen, chess960);
    /** @type {WrittenMove[]} */
    const written = [];
    for (const uci of ucis) {
      const number = moveNumber(halfMovesBefore(board.fen), !written.length);
      const played = board.play(uci);
      if (!played) break;
      written.push({ ...played, fen: board.fen, number });
    }
    return written;
  }

  /** How the game ends with this position, if it does. @param {string} fen @param {boolean} chess960 */
  ended(fen, chess960) {
    return new RulesBoard(this.#variant, this.#tables, fen, chess960).ended;
  }

  /** The same position with the other side to move; null if that could take the king. @param {string} fen @param {boolean} chess960 */
  passed(fen, chess960) {
    if (new RulesBoard(this.#variant, this.#tables, fen, chess960).check) return null;
    const position = parseFen(this.#tables, fen, chess960);
    make(position, NO_MOVE);
    return writeFen(position);
  }
}

/**
 * Turns lines of the engine into moves that people read, by the engine's own rules. Knows one variant and no page.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { VariantRules } from '../engine/rules/variant_rules.js'
 * @typedef {{uci: string, san: string, fen: string, number: string}} WrittenMove   fen: after it; number: "12." or ''
 */
import { halfMovesBefore, moveNumber, parseFen as parseBoard } from '../board/position.js';
import { generate } from '../engine/rules/generation.js';
import { make } from '../engine/rules/making.js';
import { NO_MOVE } from '../engine/rules/moves.js';
import { parseFen, writeFen } from '../engine/rules/notation/fen.js';
import { legalUcis, parseMove } from '../engine/rules/notation/uci.js';
import { compile } from '../engine/rules/tables.js';
import { writeMove } from '../game/write_move.js';

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
    const position = parseFen(this.#tables, fen, chess960);
    /** @type {WrittenMove[]} */
    const written = [];
    for (const uci of ucis) {
      const legal = legalUcis(position);
      const before = written.at(-1)?.fen ?? fen;
      const move = legal.includes(uci) ? parseMove(position, uci) : NO_MOVE;
      if (move === NO_MOVE) break;
      const san = writeMove(uci, this.#variant, parseBoard(before), legal);
      make(position, move);
      const end = generate(position, 0);
      const mark = position.checks ? (end ? '+' : '#') : '';
      const number = moveNumber(halfMovesBefore(before), !written.length);
      written.push({ uci, san: san + mark, fen: writeFen(position), number });
    }
    return written;
  }

  /** The same position with the other side to move. @param {string} fen @param {boolean} chess960 @returns {string} */
  passed(fen, chess960) {
    const position = parseFen(this.#tables, fen, chess960);
    make(position, NO_MOVE);
    return writeFen(position);
  }
}

/**
 * Moves in UCI: e2e4, a7a8q, P@e4, b1c3h. Each legal move has its own.
 *
 * @import { Position } from '../position.js'
 */
import { castledSquares } from '../castling.js';
import { generate } from '../generation.js';
import {
  CASTLE,
  CASTLE_GATE_KING,
  CASTLE_GATE_ROOK,
  DROP,
  GATE,
  kindOf,
  NO_MOVE,
  originOf,
  PROMOTION,
  targetOf,
  typeOf,
} from '../moves.js';
import { squareName } from '../variant_rules.js';

/** @param {Position} p @param {number} move @returns {string} */
export function writeMove(p, move) {
  const { codes, variant } = p.tables;
  const type = typeOf(move);
  const role = codes.kinds[kindOf(move)]?.role ?? '';
  const target = squareName(variant, targetOf(move));
  if (type === DROP) return `${role.toUpperCase()}@${target}`;
  const origin = squareName(variant, originOf(move));
  if (type === CASTLE_GATE_ROOK) return target + origin + role;
  if (type === CASTLE || type === CASTLE_GATE_KING) return origin + castlingTarget(p, move) + role;
  if (type === PROMOTION) return origin + target + role[0];
  return origin + target + (type === GATE ? role : '');
}

/** The king's target in the standard game, the rook's square in the 960 form. @param {Position} p @param {number} move */
function castlingTarget({ chess960, tables }, move) {
  const [kingTo] = castledSquares(tables, originOf(move), targetOf(move));
  return squareName(tables.variant, chess960 ? targetOf(move) : kingTo);
}

/** All legal moves in UCI. @param {Position} p */
export function legalUcis(p) {
  const end = generate(p, 0);
  return Array.from(p.moves.subarray(0, end), move => writeMove(p, move));
}

/**
 * The legal move with that UCI, or NO_MOVE. If the target's file decides what a pawn becomes, its letter may be left out.
 * @param {Position} p @param {string} text @param {number} [base] from where `position.moves` may be overwritten
 */
export function parseMove(p, text, base = 0) {
  const end = generate(p, base);
  let decided = NO_MOVE;
  for (let at = base; at < end; at++) {
    const move = p.moves[at];
    const uci = writeMove(p, move);
    if (uci === text) return move;
    if (uci.length === text.length + 1 && uci.startsWith(text) && isDecidedByFile(p, move)) decided = move;
  }
  return decided;
}

/** @param {Position} p @param {number} move */
function isDecidedByFile({ board, tables: { codes, variant } }, move) {
  const kind = codes.kinds[board[originOf(move)]];
  return typeOf(move) === PROMOTION && kind !== null && variant.promotion[kind.role].byFile !== null;
}

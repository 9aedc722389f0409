/**
 * Generates the legal moves of a position into `position.moves`.
 *
 * Checks and pins are found first, so most moves need no test of their own; only king moves, en passant and castling are
 * tested for attacks on the king. Where the rules are in doubt, the server's decide: server/rules/movegen/legal.py.
 *
 * @import { Position } from './position.js'
 */
import { canAnswer, findChecks, found, isAttacked, isInCheck } from './attacks.js';
import { addCastlings } from './castling.js';
import { addEnPassant } from './en_passant.js';
import { addDrops, addGatings, addSetupDrops } from './entering.js';
import { CASTLE, DROP, originOf, PROMOTION, targetOf, typeOf } from './moves.js';
import { make, unmake } from './making.js';
import { addPieceMoves } from './piece_moves.js';
import { awaitsReply, variantEnd } from './variant_ends.js';

/** By square: stands a pinned piece there? All 0 between two generations. */
const isPinned = new Uint8Array(256);

/**
 * Writes the legal moves from `base` on, and how many pieces give check to `checks`. None if the variant has ended the game.
 * @param {Position} p @param {number} base @returns {number} their end
 */
export function generate(p, base) {
  p.reserve(base);
  findChecks(p);
  p.checks = p.tables.around ? Number(isInCheck(p, p.side)) : found.checks;
  if (p.tables.ends && variantEnd(p)) return base;
  const end = generateAll(p, base);
  return p.tables.ends && awaitsReply(p) && !canArrive(p, base, end) ? base : end;
}

/** Does one of these moves bring a piece to its goal? @param {Position} p @param {number} base @param {number} end */
function canArrive(p, base, end) {
  const { squares, codes } = p.tables.goals[p.side];
  for (let at = base; at < end; at++)
    if (codes[p.board[originOf(p.moves[at])]] && squares.includes(targetOf(p.moves[at]))) return true;
  return false;
}

/** As `generate`, as if only the lack of moves ended a game. @param {Position} p @param {number} base */
function generateAll(p, base) {
  const end = generateSafe(p, base);
  return p.tables.restricted ? keepAllowed(p, base, end) : end;
}

/** Keeps those moves that the variant allows, of moves that leave the own king safe. @param {Position} p @param {number} base @param {number} end */
function keepAllowed(p, base, end) {
  const { mayNotCheck, mustCapture } = p.tables.variant.rules;
  const quiet = mayNotCheck ? keep(p, base, end, givesNoCheck) : end;
  if (!mustCapture || !p.moves.subarray(base, quiet).some(move => isCapture(p, move))) return quiet;
  return keep(p, base, quiet, isCapture);
}

/** @param {Position} p @param {number} base @param {number} end @param {(p: Position, move: number) => boolean} wanted */
function keep(p, base, end, wanted) {
  let kept = base;
  for (let at = base; at < end; at++) if (wanted(p, p.moves[at])) p.moves[kept++] = p.moves[at];
  return kept;
}

/** @param {Position} p @param {number} move */
function givesNoCheck(p, move) {
  make(p, move);
  const king = p.kings[p.side];
  const checks = king >= 0 && isAttacked(p, king, 1 - p.side, -1);
  unmake(p);
  return !checks;
}

/** @param {Position} p @param {number} move */
function isCapture(p, move) {
  const type = typeOf(move);
  return type !== DROP && type < CASTLE && (p.board[targetOf(move)] > 0 || isEnPassant(p, move));
}

/** The moves that leave the own king safe. @param {Position} p @param {number} base */
function generateSafe(p, base) {
  if (p.tables.around) {
    const last = addSurviving(p, base);
    return p.castling && !p.checks ? addCastlings(p, last) : last;
  }
  const holds = p.held[p.side] > 0;
  if (holds && p.tables.setup) return addSetupDrops(p, base);
  let end = addSteps(p, base);
  if (p.castling && !p.checks) end = addCastlings(p, end);
  if (!holds) return end;
  if (p.gates) end = addGatings(p, base, end);
  return p.tables.variant.drops ? addDrops(p, end) : end;
}

/**
 * Only captures and promotions, and no drops: for positions without check.
 * @param {Position} p @param {number} base @returns {number} their end
 */
export function generateLoud(p, base) {
  p.reserve(base);
  findChecks(p);
  p.checks = p.tables.around ? Number(isInCheck(p, p.side)) : found.checks;
  if (p.held[p.side] > 0 && p.tables.setup) return base;
  const end = p.tables.around ? addSurviving(p, base) : addSteps(p, base);
  let kept = base;
  for (let at = base; at < end; at++) {
    const move = p.moves[at];
    if (p.board[targetOf(move)] || typeOf(move) === PROMOTION || isEnPassant(p, move)) p.moves[kept++] = move;
  }
  return p.tables.restricted ? keepAllowed(p, base, kept) : kept;
}

/** @param {Position} p @param {number} move a step */
const isEnPassant = (p, move) => targetOf(move) === p.enPassant && p.tables.codes.pawn[p.board[originOf(move)]] === 1;

/** The same where captures explode: each is tried, as it may clear lines and kings from the board. @param {Position} p @param {number} base */
function addSurviving(p, base) {
  const { board, side, tables } = p;
  let end = base;
  for (let square = 0; square < tables.size; square++)
    if (board[square] && board[square] >> 7 === side) end = addPieceMoves(p, square, end);
  if (p.enPassant >= 0 && !board[p.enPassant]) end = addEnPassant(p, end);
  return keep(p, base, end, survives);
}

/** Does the own king outlive the move, or else the enemy's explode without it? @param {Position} p @param {number} move */
function survives(p, move) {
  const { side } = p;
  make(p, move);
  const lives = p.kings[side] >= 0 && (p.kings[1 - side] < 0 || !isInCheck(p, side));
  unmake(p);
  return lives;
}

/** Moves of pieces on the board, without castling. @param {Position} p @param {number} base */
function addSteps(p, base) {
  const { board, side, tables } = p;
  const king = p.kings[side];
  let end = base;
  if (canAnswer()) {
    markPins(1);
    for (let square = 0; square < tables.size; square++) {
      const code = board[square];
      if (code === 0 || code >> 7 !== side || square === king) continue;
      const start = end;
      end = addPieceMoves(p, square, end);
      if (isPinned[square]) end = keepPinned(p, square, start, end);
    }
    markPins(0);
    if (found.checks) end = keepAnswers(p, base, end);
    if (p.enPassant >= 0 && !board[p.enPassant]) end = addEnPassant(p, end);
  }
  return king >= 0 ? addKingMoves(p, king, end) : end;
}

/** @param {number} mark */
function markPins(mark) {
  for (let pin = 0; pin < found.pins; pin++) isPinned[found.pinned[pin]] = mark;
}

/** @param {Position} p @param {number} square @param {number} start @param {number} end */
function keepPinned({ moves }, square, start, end) {
  let last = end;
  for (let pin = 0; pin < found.pins; pin++) {
    if (found.pinned[pin] !== square) continue;
    let kept = start;
    for (let at = start; at < last; at++) if (found.still[(pin << 8) | targetOf(moves[at])]) moves[kept++] = moves[at];
    last = kept;
  }
  return last;
}

/** @param {Position} p @param {number} start @param {number} end */
function keepAnswers({ moves }, start, end) {
  let kept = start;
  for (let at = start; at < end; at++)
    if (found.answers[targetOf(moves[at])] === found.checks) moves[kept++] = moves[at];
  return kept;
}

/** @param {Position} p @param {number} king @param {number} start */
function addKingMoves(p, king, start) {
  const end = addPieceMoves(p, king, start);
  let kept = start;
  for (let at = start; at < end; at++)
    if (!isAttacked(p, targetOf(p.moves[at]), 1 - p.side, king)) p.moves[kept++] = p.moves[at];
  return kept;
}

/**
 * Makes and unmakes moves that are known to be legal.
 *
 * @import { Position } from './position.js'
 */
import { isAttacked } from './attacks.js';
import { castledSquares, castlingKing } from './castling.js';
import { mayTakeEnPassant } from './en_passant.js';
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
} from './moves.js';
import { BLACK } from './pieces.js';
import {
  BLACK_KING,
  CAPTURED,
  CAPTURED_AT,
  CASTLING,
  changePocket,
  EN_PASSANT,
  EXTRA,
  GATES,
  HALFMOVES,
  HIGH,
  LOW,
  lift,
  MOVE,
  MOVED,
  put,
  setCastling,
  setGates,
  setTakeable,
  setToCheck,
  TAKEABLE,
  TO_CHECK,
  turnSide,
  WHITE_KING,
} from './position.js';

/** @param {Position} p @param {number} move legal there; NO_MOVE passes, which is for the search alone */
export function make(p, move) {
  const record = remember(p, move);
  const type = typeOf(move);
  const crossed = p.enPassant;
  p.enPassant = -1;
  if (p.takeable >= 0) setTakeable(p, -1);
  if (type >= CASTLE) castle(p, move, type);
  else if (type === DROP) drop(p, move);
  else if (move !== NO_MOVE) step(p, move, type, crossed, record);
  if (p.gates && !p.tables.variant.rules.captures) spendGates(p);
  p.fullmove += p.side;
  turnSide(p);
  if (p.enPassant >= 0 && mayTakeEnPassant(p)) setTakeable(p, p.enPassant);
  if (p.tables.endings.checks && move !== NO_MOVE) countCheck(p);
  p.ply++;
}

/** @param {Position} p after a move */
function countCheck(p) {
  const mover = 1 - p.side;
  const king = p.kings[p.side];
  if (king >= 0 && p.toCheck[mover] && isAttacked(p, king, mover, -1)) setToCheck(p, mover, p.toCheck[mover] - 1);
}

/** @param {Position} p @param {number} move */
function remember(p, move) {
  const at = p.remembering();
  const { undo } = p;
  undo[at + MOVE] = move;
  undo[at + MOVED] = 0;
  undo[at + CAPTURED] = 0;
  undo[at + CASTLING] = p.castling;
  undo[at + GATES] = p.gates;
  undo[at + EN_PASSANT] = p.enPassant;
  undo[at + TAKEABLE] = p.takeable;
  undo[at + HALFMOVES] = p.halfmoves;
  undo[at + LOW] = p.low;
  undo[at + HIGH] = p.high;
  undo[at + EXTRA] = p.extra;
  undo[at + WHITE_KING] = p.kings[0];
  undo[at + BLACK_KING] = p.kings[1];
  undo[at + TO_CHECK] = (p.toCheck[0] << 4) | p.toCheck[1];
  return at;
}

/** @param {Position} p @param {number} move @param {number} type @param {number} crossed en passant square or -1 @param {number} record */
function step(p, move, type, crossed, record) {
  const { board, tables, side, undo } = p;
  const { codes, keep } = tables;
  const origin = originOf(move);
  const target = targetOf(move);
  const code = board[origin];
  const pawn = codes.pawn[code];
  const takenAt = target === crossed && pawn && !board[target] ? target + tables.behind[side] : target;
  const captured = board[takenAt];
  undo[record + MOVED] = code;
  undo[record + CAPTURED] = captured;
  undo[record + CAPTURED_AT] = takenAt;
  if (captured) capture(p, takenAt, captured);
  lift(p, origin);
  put(p, target, type === PROMOTION ? side * BLACK + kindOf(move) : codes.settled[code]);
  if (type === GATE) gate(p, origin, kindOf(move));
  if (codes.king[code]) {
    p.kings[side] = target;
    setCastling(p, p.castling & ~tables.rankBits[side]);
  }
  if (tables.castling && !codes.king[tables.castling.king]) loseCastling(p, origin, target);
  const kept = keep[origin] & keep[target];
  if (p.castling & ~kept) setCastling(p, p.castling & kept);
  if (p.gates & ~kept) setGates(p, p.gates & kept);
  if (pawn && tables.doubles[side][origin] === target) openEnPassant(p, (origin + target) >> 1);
  if (captured && tables.around) explode(p, target, tables.around[target]);
  p.halfmoves = pawn || captured || type === PROMOTION ? 0 : p.halfmoves + 1;
}

/** Clears the board around a capture. @param {Position} p @param {number} target @param {number[]} around */
function explode(p, target, around) {
  const { codes, keep, rankBits } = p.tables;
  const blast = [];
  for (const square of [target, ...around]) {
    const code = p.board[square];
    if (!code || (codes.pawn[code] && square !== target)) continue;
    blast.push(square, code);
    lift(p, square);
    if (codes.king[code]) p.kings[code >> 7] = -1;
    setCastling(p, p.castling & (codes.king[code] ? ~rankBits[code >> 7] : keep[square]));
  }
  p.blasts[p.ply] = blast;
}

/** Where no king is royal, a side loses its rights when the piece that castles leaves its square, or is taken there. @param {Position} p @param {number} origin @param {number} target */
function loseCastling(p, origin, target) {
  for (const side of [0, 1]) {
    const home = castlingKing(p, side);
    if (home === origin || home === target) setCastling(p, p.castling & ~p.tables.rankBits[side]);
  }
}

/** @param {Position} p @param {number} square @param {number} captured */
function capture(p, square, captured) {
  const { codes, rankBits } = p.tables;
  lift(p, square);
  const place = codes.toPocket[captured];
  if (place >= 0) changePocket(p, p.side, place, 1);
  if (codes.king[captured]) {
    p.kings[1 - p.side] = -1;
    setCastling(p, p.castling & ~rankBits[1 - p.side]);
  }
}

/** @param {Position} p @param {number} square @param {number} kind */
function gate(p, square, kind) {
  put(p, square, p.side * BLACK + kind);
  changePocket(p, p.side, p.tables.pocketKinds.indexOf(kind), -1);
}

/** @param {Position} p @param {number} square between origin and target of a double step */
function openEnPassant(p, square) {
  const takers = p.tables.takers[1 - p.side][square];
  for (let nth = 0; takers && nth < takers.length; nth += 2)
    if (p.board[takers[nth]] === takers[nth + 1]) {
      p.enPassant = square;
      return;
    }
}

/** @param {Position} p @param {number} move @param {number} type */
function castle(p, move, type) {
  const { board, side, tables } = p;
  const king = originOf(move);
  const rook = targetOf(move);
  const [kingTo, rookTo] = castledSquares(tables, king, rook);
  const kingCode = board[king];
  const rookCode = board[rook];
  lift(p, king);
  lift(p, rook);
  put(p, kingTo, kingCode);
  put(p, rookTo, rookCode);
  if (type !== CASTLE) gate(p, type === CASTLE_GATE_KING ? king : rook, kindOf(move));
  if (p.kings[side] >= 0) p.kings[side] = kingTo;
  setCastling(p, p.castling & ~tables.rankBits[side]);
  if (p.gates) setGates(p, p.gates & tables.keep[king] & tables.keep[rook]);
  p.halfmoves++;
}

/** @param {Position} p @param {number} move */
function drop(p, move) {
  const { codes, variant } = p.tables;
  gate(p, targetOf(move), kindOf(move));
  if (codes.king[kindOf(move)]) p.kings[p.side] = targetOf(move);
  if (variant.rules.castlingEarned) earnCastling(p);
  p.halfmoves = 0;
}

/** Castling rights that are earned by putting king and rooks on their home squares. @param {Position} p */
function earnCastling(p) {
  const { castling, codes, firstRank, variant } = p.tables;
  if (!castling) return;
  const rank = firstRank[p.side];
  if (!codes.king[p.board[rank + castling.kingFrom]]) return;
  let earned = p.castling;
  for (const file of [0, variant.files - 1])
    if (p.board[rank + file] === p.side * BLACK + castling.rook) earned |= 1 << (16 * p.side + file);
  setCastling(p, earned);
}

/** A side loses its gating rights with its last pocket piece. @param {Position} p */
function spendGates(p) {
  const { rankBits } = p.tables;
  for (const side of [0, 1]) if (!p.held[side] && p.gates & rankBits[side]) setGates(p, p.gates & ~rankBits[side]);
}

/** Takes the last move back. @param {Position} p */
export function unmake(p) {
  p.ply--;
  const at = p.remembering();
  const { undo } = p;
  const move = undo[at + MOVE];
  p.side = 1 - p.side;
  p.fullmove -= p.side;
  if (move !== NO_MOVE) takeBack(p, move, at);
  p.castling = undo[at + CASTLING];
  p.gates = undo[at + GATES];
  p.enPassant = undo[at + EN_PASSANT];
  p.takeable = undo[at + TAKEABLE];
  p.halfmoves = undo[at + HALFMOVES];
  p.low = undo[at + LOW];
  p.high = undo[at + HIGH];
  p.extra = undo[at + EXTRA];
  p.kings[0] = undo[at + WHITE_KING];
  p.kings[1] = undo[at + BLACK_KING];
  p.toCheck[0] = undo[at + TO_CHECK] >> 4;
  p.toCheck[1] = undo[at + TO_CHECK] & 15;
}

/** Puts the pieces back; their hash is restored as a whole. @param {Position} p @param {number} move @param {number} at */
function takeBack(p, move, at) {
  const type = typeOf(move);
  if (type === DROP) ungate(p, targetOf(move), kindOf(move));
  else if (type >= CASTLE) uncastle(p, move, type);
  else {
    const captured = p.undo[at + CAPTURED];
    if (captured && p.tables.around) unexplode(p, p.blasts[p.ply]);
    if (type === GATE) ungate(p, originOf(move), kindOf(move));
    lift(p, targetOf(move));
    put(p, originOf(move), p.undo[at + MOVED]);
    if (!captured) return;
    put(p, p.undo[at + CAPTURED_AT], captured);
    const place = p.tables.codes.toPocket[captured];
    if (place >= 0) changePocket(p, p.side, place, -1);
  }
}

/** @param {Position} p @param {number[]} blast */
function unexplode(p, blast) {
  for (let nth = 0; nth < blast.length; nth += 2) put(p, blast[nth], blast[nth + 1]);
}

/** @param {Position} p @param {number} square @param {number} kind */
function ungate(p, square, kind) {
  lift(p, square);
  changePocket(p, p.side, p.tables.pocketKinds.indexOf(kind), 1);
}

/** @param {Position} p @param {number} move @param {number} type */
function uncastle(p, move, type) {
  const king = originOf(move);
  const rook = targetOf(move);
  const [kingTo, rookTo] = castledSquares(p.tables, king, rook);
  if (type === CASTLE_GATE_KING) ungate(p, king, kindOf(move));
  if (type === CASTLE_GATE_ROOK) ungate(p, rook, kindOf(move));
  const kingCode = p.board[kingTo];
  const rookCode = p.board[rookTo];
  lift(p, kingTo);
  lift(p, rookTo);
  put(p, king, kingCode);
  put(p, rook, rookCode);
}

/**
 * Castling: the squares it leads to, and when it is legal.
 *
 * @import { Tables } from './tables.js'
 * @import { Position } from './position.js'
 */
import { isAttacked, isSheltered } from './attacks.js';
import { CASTLE, CASTLE_GATE_KING, CASTLE_GATE_ROOK, encode } from './moves.js';

/** Where king and rook come to stand. @param {Tables} tables @param {number} king @param {number} rook @returns {[number, number]} */
export function castledSquares({ castling, variant }, king, rook) {
  if (!castling) throw new Error('this variant has no castling');
  const wing = rook > king ? 0 : 1;
  const rank = king - (king % variant.files);
  return [rank + castling.kingTo[wing], rank + castling.rookTo[wing]];
}

/** Where the piece is, or would be, that castles: the king, or what stands for it where none is royal. @param {Position} p @param {number} side */
export function castlingKing({ kings, tables: { castling, codes, firstRank } }, side) {
  return castling && !codes.king[castling.king] ? firstRank[side] + castling.kingFrom : kings[side];
}

/** Adds the legal castlings from `at` on; the king must not be in check. @param {Position} p @param {number} at @returns {number} the new end */
export function addCastlings(p, at) {
  const { side, tables, castling, moves } = p;
  const king = castlingKing(p, side);
  let end = at;
  for (let file = 0; file < tables.variant.files; file++) {
    if (!((castling >> (16 * side + file)) & 1)) continue;
    const rook = tables.firstRank[side] + file;
    if (!canCastle(p, king, rook)) continue;
    moves[end++] = encode(CASTLE, 0, king, rook);
    if (p.gates) end = addGated(p, king, rook, end);
  }
  return end;
}

/** @param {Position} p @param {number} king @param {number} rook */
function canCastle(p, king, rook) {
  const { board, side, tables } = p;
  const [kingTo, rookTo] = castledSquares(tables, king, rook);
  const isClear = (/** @type {number} */ from, /** @type {number} */ to) => {
    for (let square = Math.min(from, to); square <= Math.max(from, to); square++)
      if (board[square] && square !== king && square !== rook) return false;
    return true;
  };
  if (!isClear(king, kingTo) || !isClear(rook, rookTo)) return false;
  if (p.kings[side] < 0) return true;
  const step = Math.sign(kingTo - king);
  for (let square = king; square !== kingTo; square += step) if (isDangerous(p, square, king)) return false;
  return !isAttackedAfter(p, king, rook, kingTo, rookTo);
}

/** @param {Position} p @param {number} square @param {number} ignored or -1 */
const isDangerous = (p, square, ignored) =>
  !isSheltered(p, square, 1 - p.side) && isAttacked(p, square, 1 - p.side, ignored);

/** Is the king attacked once castled? @param {Position} p @param {number} king @param {number} rook @param {number} kingTo @param {number} rookTo */
function isAttackedAfter(p, king, rook, kingTo, rookTo) {
  const { board } = p;
  const kingCode = board[king];
  const rookCode = board[rook];
  board[king] = board[rook] = 0;
  board[kingTo] = kingCode;
  board[rookTo] = rookCode;
  const attacked = isDangerous(p, kingTo, -1);
  board[kingTo] = board[rookTo] = 0;
  board[king] = kingCode;
  board[rook] = rookCode;
  return attacked;
}

/** @param {Position} p @param {number} king @param {number} rook @param {number} at */
function addGated(p, king, rook, at) {
  const { gates, moves, pockets, side, tables } = p;
  const [kingTo, rookTo] = castledSquares(tables, king, rook);
  let end = at;
  for (const [square, type] of [
    [king, CASTLE_GATE_KING],
    [rook, CASTLE_GATE_ROOK],
  ]) {
    if (square === kingTo || square === rookTo || !(gates & ~tables.keep[square])) continue;
    for (const kind of tables.gateKinds)
      if (pockets[side * p.roles + tables.pocketKinds.indexOf(kind)]) moves[end++] = encode(type, kind, king, rook);
  }
  return end;
}

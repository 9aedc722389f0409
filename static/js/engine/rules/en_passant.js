/**
 * Captures in passing, which take a pawn from a square that the captor does not enter. Where captures explode, they are not
 * tested here.
 *
 * @import { Position } from './position.js'
 */
import { isAttacked } from './attacks.js';
import { encode, STEP } from './moves.js';

/** Adds the legal captures in passing. @param {Position} p @param {number} end of the moves so far @returns {number} the new end */
export function addEnPassant(p, end) {
  const takers = p.tables.takers[p.side][p.enPassant] ?? [];
  let at = end;
  for (let nth = 0; nth < takers.length; nth += 2)
    if (mayTake(p, takers[nth], takers[nth + 1])) p.moves[at++] = encode(STEP, 0, takers[nth], p.enPassant);
  return at;
}

/** May the side to move take a pawn on `p.enPassant`, which is a square? @param {Position} p */
export function mayTakeEnPassant(p) {
  if (p.board[p.enPassant]) return false;
  const takers = p.tables.takers[p.side][p.enPassant] ?? [];
  for (let nth = 0; nth < takers.length; nth += 2) if (mayTake(p, takers[nth], takers[nth + 1])) return true;
  return false;
}

/**
 * May a pawn take en passant? Tested on the board itself, since two pawns leave their squares at once.
 * @param {Position} p @param {number} origin @param {number} code of the pawn, if it stands there
 */
function mayTake(p, origin, code) {
  const { board, enPassant, side } = p;
  if (board[origin] !== code) return false;
  if (p.tables.around) return true;
  const takenAt = enPassant + p.tables.behind[side];
  const taken = board[takenAt];
  board[takenAt] = board[origin] = 0;
  board[enPassant] = code;
  const king = p.kings[side];
  const safe = king < 0 || !isAttacked(p, king, 1 - side, -1);
  board[enPassant] = 0;
  board[origin] = code;
  board[takenAt] = taken;
  return safe;
}

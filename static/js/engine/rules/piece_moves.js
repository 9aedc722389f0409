/**
 * Pseudo-legal moves of one piece, with its promotions: the innermost loop of the rules.
 *
 * @import { Position } from './position.js'
 */
import { ORIGIN_SHIFT } from './moves.js';
import { withPromotions } from './promotion.js';

/** @param {Position} p @param {number} origin @param {number} start @returns {number} the end of the moves written from `start` on */
export function addPieceMoves(p, origin, start) {
  const { reach, promotions } = p.tables;
  const code = p.board[origin];
  const at = (code << 8) | origin;
  let end = start;
  if (reach.both[at]) end = addBoth(p, reach.both[at], origin, end);
  if (reach.divided[at]) end = addDivided(p, reach.divided[at], origin, end);
  if (reach.bent[at]) end = addBent(p, reach.bent[at], origin, end);
  const rule = promotions[code];
  return rule && end > start ? withPromotions(p, rule, origin, start, end) : end;
}

/** @param {Position} p @param {number} program @param {number} origin @param {number} start */
function addBoth(p, program, origin, start) {
  const { board, moves, side } = p;
  const { data } = p.tables.reach;
  const from = origin << ORIGIN_SHIFT;
  let end = start;
  let at = program;
  for (let jumps = data[at++]; jumps > 0; jumps--) {
    const target = data[at++];
    const code = board[target];
    if (code === 0 || code >> 7 !== side) moves[end++] = from | target;
  }
  for (let rays = data[at++]; rays > 0; rays--) {
    const next = at + 1 + data[at];
    for (at++; at < next; at++) {
      const code = board[data[at]];
      if (code === 0) moves[end++] = from | data[at];
      else {
        if (code >> 7 !== side) moves[end++] = from | data[at];
        break;
      }
    }
    at = next;
  }
  return end;
}

/** Moves of a piece that moves and captures in different ways, as a pawn does. @param {Position} p @param {number} program @param {number} origin @param {number} start */
function addDivided(p, program, origin, start) {
  const { board, moves, side } = p;
  const { data } = p.tables.reach;
  const from = origin << ORIGIN_SHIFT;
  let end = start;
  let at = program;
  for (let rays = data[at++]; rays > 0; rays--) {
    const next = at + 1 + data[at];
    for (at++; at < next && board[data[at]] === 0; at++) moves[end++] = from | data[at];
    at = next;
  }
  for (let rays = data[at++]; rays > 0; rays--) {
    const next = at + 1 + data[at];
    for (at++; at < next; at++) {
      const code = board[data[at]];
      if (code === 0) continue;
      if (code >> 7 !== side) moves[end++] = from | data[at];
      break;
    }
    at = next;
  }
  return end;
}

/** @param {Position} p @param {number} program @param {number} origin @param {number} start */
function addBent(p, program, origin, start) {
  const { board, moves, side } = p;
  const { data } = p.tables.reach;
  const from = origin << ORIGIN_SHIFT;
  let end = start;
  let at = program;
  for (let bents = data[at++]; bents > 0; bents--) {
    const elbow = board[data[at]];
    if (elbow === 0 || elbow >> 7 !== side) moves[end++] = from | data[at];
    at++;
    for (let rays = data[at++]; rays > 0; rays--) {
      const next = at + 1 + data[at];
      for (at++; elbow === 0 && at < next; at++) {
        const code = board[data[at]];
        if (code === 0 || code >> 7 !== side) moves[end++] = from | data[at];
        if (code) break;
      }
      at = next;
    }
  }
  return end;
}

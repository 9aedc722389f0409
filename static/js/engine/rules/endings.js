/**
 * Endings on the board, in the order in which the server looks for them: those that chess does not have, no legal
 * moves, insufficient material, repetition, move rule.
 *
 * @import { Position } from './position.js'
 * @typedef {'checkmate' | 'stalemate' | 'insufficient' | 'repetition' | 'move-rule' | 'bare-king' | 'goal' | 'checks' | 'extinction' | 'explosion'} Reason
 * @typedef {{winner: number | null, reason: Reason}} Outcome   the winner: 0 White, 1 Black, null for a draw
 */
import { generate } from './generation.js';
import { BLACK } from './pieces.js';
import { isDark } from './variant_rules.js';
import { awaitsReply, variantEnd } from './variant_ends.js';

/** The outcome of a game that reaches this position, or null if it goes on. @param {Position} p @returns {Outcome | null} */
export function outcome(p) {
  const { endings } = p.tables;
  const other = 1 - p.side;
  const end = p.tables.ends ? variantEnd(p) : null;
  if (end) return end;
  if (generate(p, 0) === 0) {
    if (p.tables.ends && awaitsReply(p)) return { winner: other, reason: 'goal' };
    if (p.checks) return { winner: other, reason: 'checkmate' };
    return { winner: endings.stalemateLoses ? other : endings.stalemateWins ? p.side : null, reason: 'stalemate' };
  }
  if (isDead(p)) return { winner: null, reason: 'insufficient' };
  if (p.occurrences() >= endings.repetition) return { winner: null, reason: 'repetition' };
  if (endings.moveRule && p.halfmoves >= endings.moveRule) return { winner: null, reason: 'move-rule' };
  return null;
}

/**
 * Is the game drawn because neither side can win any more? Who could still win on time, where the queens and rooks of
 * the other side do not help, is the server's to judge: a side that has them can win itself.
 * @param {Position} p
 */
export function isDead(p) {
  if (!p.tables.endings.insufficient || p.held[0] || p.held[1]) return false;
  return !canWin(p, 0) && !canWin(p, 1);
}

/**
 * Has the side mating material: a piece that can mate alone; one that is not bound to a colour together with any other
 * piece of either side; pieces bound to a colour only together with one on the other colour.
 * @param {Position} p with empty pockets @param {number} side
 */
function canWin(p, side) {
  const { codes } = p.tables;
  let bound = false;
  for (let kind = 1; kind <= codes.number; kind++) {
    const code = side * BLACK + kind;
    if (!p.count[code]) continue;
    if (codes.mating[code]) return true;
    bound ||= codes.colorBound[code] === 1;
  }
  if (bound) return boundCanWin(p);
  return p.pieceCount[side] > 1 && p.pieceCount[0] + p.pieceCount[1] - kingsOf(p) > 1;
}

/** Do all the pieces bound to a colour stand on both, or is there another piece? @param {Position} p */
function boundCanWin(p) {
  const { codes, size, variant } = p.tables;
  const shades = new Set();
  for (let square = 0; square < size; square++) {
    const code = p.board[square];
    if (!code || codes.king[code]) continue;
    if (!codes.colorBound[code]) return true;
    shades.add(isDark(variant, square));
  }
  return shades.size === 2;
}

/** @param {Position} p */
const kingsOf = p => (p.kings[0] >= 0 ? 1 : 0) + (p.kings[1] >= 0 ? 1 : 0);

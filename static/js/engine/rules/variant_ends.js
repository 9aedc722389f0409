/**
 * The ends of a game that chess does not have, as server/rules/movegen/variant_ends.py finds them: seen by the side to move
 * next, before anything else, and where there is one, no move is legal.
 *
 * @import { Position } from './position.js'
 * @import { Outcome } from './endings.js'
 */

/** How the rules of the variant have ended the game, or null. To be asked only where `tables.ends`. @param {Position} p @returns {Outcome | null} */
export function variantEnd(p) {
  const { endings } = p.tables;
  for (const side of [0, 1])
    if (endings.bareKingLoses && p.pieceCount[side] === 1) return { winner: 1 - side, reason: 'bare-king' };
  if (endings.checks && !p.toCheck[1 - p.side]) return { winner: 1 - p.side, reason: 'checks' };
  return endings.goal ? endByGoal(p, endings.goal.reply) : null;
}

/** @param {Position} p @param {boolean} reply @returns {Outcome | null} */
function endByGoal(p, reply) {
  const { side } = p;
  const foe = hasArrived(p, 1 - side);
  if (reply && hasArrived(p, side)) return { winner: foe && side === 0 ? null : side, reason: 'goal' };
  return foe && !(reply && side) ? { winner: 1 - side, reason: 'goal' } : null;
}

/** Has Black one more move, as White has arrived first? Unless it can arrive, too, that is not to be played. @param {Position} p */
export const awaitsReply = p =>
  p.side === 1 && p.tables.endings.goal?.reply === true && hasArrived(p, 0) && !hasArrived(p, 1);

/** Does a piece of the side stand on its goal? @param {Position} p @param {number} side */
function hasArrived(p, side) {
  const { squares, codes } = p.tables.goals[side];
  for (let nth = 0; nth < squares.length; nth++) if (codes[p.board[squares[nth]]]) return true;
  return false;
}

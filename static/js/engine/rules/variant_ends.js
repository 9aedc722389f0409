/**
 * The ends of a game that chess does not have, as server/rules/movegen/variant_ends.py finds them: seen by the side to move
 * next, before anything else, and where there is one, no move is legal.
 *
 * @import { Position } from './position.js'
 * @import { Outcome } from './endings.js'
 * @import { Endings } from './variant_rules.js'
 */

/** How the rules of the variant have ended the game, or null. To be asked only where `tables.ends`. @param {Position} p @returns {Outcome | null} */
export function variantEnd(p) {
  const { around, endings } = p.tables;
  if (around && (p.kings[0] < 0 || p.kings[1] < 0)) return { winner: p.kings[0] < 0 ? 1 : 0, reason: 'explosion' };
  for (const side of [0, 1])
    if (endings.bareKingLoses && p.pieceCount[side] === 1) return { winner: 1 - side, reason: 'bare-king' };
  const end =
    (endings.extinction && endByExtinction(p, endings.extinction)) ??
    (endings.goal && endByGoal(p, endings.goal.reply));
  if (end) return end;
  if (endings.checks && !p.toCheck[1 - p.side]) return { winner: 1 - p.side, reason: 'checks' };
  return null;
}

/** Looks first at the side that has just moved. @param {Position} p @param {NonNullable<Endings['extinction']>} rule @returns {Outcome | null} */
function endByExtinction(p, rule) {
  const { left, against, reply, wins } = rule;
  for (const side of [1 - p.side, p.side]) {
    const least = against + (reply && side === p.side ? 1 : 0);
    for (const codes of p.tables.extinct)
      if (count(p, codes[side]) <= left && count(p, codes[1 - side]) >= least)
        return { winner: wins ? side : 1 - side, reason: isBare(p, rule) ? 'bare-king' : 'extinction' };
  }
  return null;
}

/** Is what is left a bare king? @param {Position} p @param {NonNullable<Endings['extinction']>} rule */
const isBare = ({ tables }, { kinds, left, wins }) =>
  !kinds.length && left === 1 && !wins && !tables.variant.rules.kingless.includes(true);

/** @param {Position} p @param {number[]} codes */
function count(p, codes) {
  let sum = 0;
  for (let nth = 0; nth < codes.length; nth++) sum += p.count[codes[nth]];
  return sum;
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

/**
 * Why what is picked up cannot be put on a square, in words, for whoever hears the board. Says what the movement and the pieces
 * on the board tell; whether a move is legal is not decided here.
 *
 * @import { Position } from './position.js'
 * @import { Variant } from './variant.js'
 * @typedef {{origin: string, square: string, check: boolean}} Attempt   origin: a square or a drop such as "P@"
 */
import { dropZone } from './movement.js';
import { reachOnBoard } from './piece_reach.js';
import { t } from '../words.js';
import { relativeRank, roleName } from './variant.js';

/** @param {Variant} variant @param {Position} position @param {Attempt} attempt a move that is not legal @returns {string} a sentence */
export function refusalWords(variant, position, attempt) {
  const { origin, square } = attempt;
  const role = origin.endsWith('@') ? origin.slice(0, -1).toLowerCase() : position.pieces.get(origin)?.role;
  const words = { piece: roleName(variant, role ?? ''), from: origin, to: square };
  return t(`board.illegal_${reason(variant, position, attempt)}`, words);
}

/** @param {Variant} variant @param {Position} position @param {Attempt} attempt */
function reason(variant, position, { origin, square, check }) {
  if (origin.endsWith('@')) {
    if (position.pieces.has(square)) return 'occupied';
    if (!dropZone(variant, position.turn, origin.slice(0, -1).toLowerCase()).includes(square)) return 'zone';
    return check ? 'in_check' : 'here';
  }
  if (!reachOnBoard(variant, position, origin)?.squares.includes(square)) return 'reach';
  if (check) return 'in_check';
  // A pawn may lack what it could promote to.
  const pawn = variant.roles[position.pieces.get(origin)?.role ?? '']?.pawn;
  const ends = relativeRank(variant, position.turn, Number(square.slice(1)) - 1) === variant.ranks;
  return pawn && ends ? 'here' : 'exposed';
}

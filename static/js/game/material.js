/**
 * What each side has more of than the other, kind by kind, and what that is worth. Pure; knows what a position looks like,
 * and no page.
 *
 * @import { Position } from '../board/position.js'
 * @import { Color, Variant } from '../board/variant.js'
 */
import { isRoyal } from '../board/variant.js';

/**
 * The kinds of pieces that one side has more of, each as often as it does, the most valuable first. Where captured pieces
 * come back as drops, the pockets show more than this could: then there are none.
 * @param {Variant} variant @param {Position} position @returns {Record<Color, string[]>} roles
 */
export function surplus(variant, { pieces, pockets }) {
  /** @type {Record<Color, string[]>} */
  const more = { white: [], black: [] };
  if (comesBack(variant)) return more;
  for (const role of rolesByWorth(variant)) {
    let ahead = (pockets.white.get(role) ?? 0) - (pockets.black.get(role) ?? 0);
    for (const piece of pieces.values()) if (piece.role === role) ahead += piece.color === 'white' ? 1 : -1;
    more[ahead > 0 ? 'white' : 'black'].push(...Array(Math.abs(ahead)).fill(role));
  }
  return more;
}

/**
 * How much more White's surplus is worth than Black's, in pawns; in pieces if the worth of some kind is not known.
 * @param {Variant} variant @param {Record<Color, string[]>} more of `surplus` @returns {number} below 0: Black is ahead
 */
export function lead(variant, { white, black }) {
  const isKnown = [...white, ...black].every(role => variant.roles[role].value);
  const worth = (/** @type {string[]} */ roles) =>
    roles.reduce((sum, role) => sum + (isKnown ? variant.roles[role].value : 1), 0);
  return worth(white) - worth(black);
}

/** Whether what is captured goes to the pocket of who took it. @param {Variant} variant */
const comesBack = ({ pocket }) => pocket.split('+').includes('captures');

/** By their worth; where that is not known by how many ways they move, riders before leapers. @param {Variant} variant */
function rolesByWorth(variant) {
  const reach = (/** @type {string} */ role) =>
    variant.roles[role].moves.reduce((sum, { steps, max }) => sum + steps.length * (max === 0 ? 3 : 1), 0);
  const { roles } = variant;
  return Object.keys(roles)
    .filter(role => !isRoyal(variant, role))
    .sort((one, other) => roles[other].value - roles[one].value || reach(other) - reach(one));
}

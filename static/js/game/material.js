/**
 * What each side has more of than the other, kind by kind. Pure; knows what a position looks like, and no page.
 *
 * @import { Position } from '../board/position.js'
 * @import { Color, Variant } from '../board/variant.js'
 */
import { isRoyal } from '../board/variant.js';

/**
 * The kinds of pieces that one side has more of, each as often as it does, those with the most ways to move first. Where captured pieces come back as drops, the pockets show more than this could: then there are none.
 * @param {Variant} variant @param {Position} position @returns {Record<Color, string[]>} roles
 */
export function surplus(variant, { pieces, pockets }) {
  /** @type {Record<Color, string[]>} */
  const more = { white: [], black: [] };
  if (variant.drops) return more;
  for (const role of rolesByWorth(variant)) {
    let ahead = (pockets.white.get(role) ?? 0) - (pockets.black.get(role) ?? 0);
    for (const piece of pieces.values()) if (piece.role === role) ahead += piece.color === 'white' ? 1 : -1;
    more[ahead > 0 ? 'white' : 'black'].push(...Array(Math.abs(ahead)).fill(role));
  }
  return more;
}

/** How many ways a kind moves, as a rough order of worth: riders before leapers. @param {Variant} variant */
function rolesByWorth(variant) {
  const reach = (/** @type {string} */ role) =>
    variant.roles[role].moves.reduce((sum, { steps, max }) => sum + steps.length * (max === 0 ? 3 : 1), 0);
  return Object.keys(variant.roles)
    .filter(role => !isRoyal(variant, role))
    .sort((one, other) => reach(other) - reach(one));
}

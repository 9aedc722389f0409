/**
 * Beside each name, what its side has taken more of than it has lost: the opponent's pieces, each kind drawn small with its
 * number, and beside the leader's how much more they are worth than the other's. Where checks are counted, how many of them
 * that side has given comes first.
 *
 * @import { Position } from '../../board/position.js'
 * @import { Color, Variant } from '../../board/variant.js'
 */
import { toLibraryRole } from '../../board/geometry.js';
import { isRoyal, opposite, roleName } from '../../board/variant.js';
import { t } from '../../words.js';
import { checkCount } from '../../ui/board/check_count.js';
import { byId, create } from '../../ui/dom.js';

export class Material {
  #variant;
  #places = { top: byId('material-top'), bottom: byId('material-bottom') };
  #shown = '';

  /** @param {Variant} variant */
  constructor(variant) {
    this.#variant = variant;
  }

  /** @param {Position} position @param {Color} bottom the side at the bottom */
  render(position, bottom) {
    const ahead = surplus(this.#variant, position);
    const key = JSON.stringify([ahead, bottom, position.toCheck]);
    if (key === this.#shown) return;
    this.#shown = key;
    const white = lead(this.#variant, ahead);
    const sides = /** @type {const} */ ([
      [this.#places.bottom, bottom],
      [this.#places.top, opposite(bottom)],
    ]);
    for (const [place, side] of sides) {
      this.#show(place, ahead[side], opposite(side), side === 'white' ? white : -white);
      place.prepend(...checkCount(this.#variant, position, side));
      place.hidden = !place.firstChild;
    }
  }

  /** @param {HTMLElement} place @param {string[]} roles @param {Color} color of the pieces taken @param {number} worth */
  #show(place, roles, color, worth) {
    const pieces = roles.map(role => roleName(this.#variant, role)).join(', ');
    const words = pieces ? [create('span', 'visually-hidden', t('round.ahead_by', { pieces }))] : [];
    const kinds = [...new Set(roles)].flatMap(role => {
      const n = roles.filter(one => one === role).length;
      const piece = create('piece', `${toLibraryRole(role)} ${color}`);
      return n > 1 ? [piece, Object.assign(create('small', '', `${n}`), { ariaHidden: 'true' })] : [piece];
    });
    place.replaceChildren(...words, ...kinds);
    // Whole pawns, as everywhere in chess, where some pieces are worth a fraction more.
    const pawns = Math.round(worth);
    if (pawns > 0) place.append(create('b', '', `+${pawns}`));
  }
}

// What each side has more of than the other, kind by kind, and what that is worth. Pure; knows what a position looks like,
// and no page.

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

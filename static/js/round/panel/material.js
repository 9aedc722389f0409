/**
 * Beside each name, what its side has taken more of than it has lost: the opponent's pieces, each kind drawn small with its
 * number, and beside the leader's how much more they are worth than the other's.
 *
 * @import { Position } from '../../board/position.js'
 * @import { Color, Variant } from '../../board/variant.js'
 */
import { toLibraryRole } from '../../board/geometry.js';
import { opposite, roleName } from '../../board/variant.js';
import { lead, surplus } from '../../game/material.js';
import { t } from '../../words.js';
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
    const key = JSON.stringify([ahead, bottom]);
    if (key === this.#shown) return;
    this.#shown = key;
    const white = lead(this.#variant, ahead);
    for (const [place, side] of /** @type {const} */ ([
      [this.#places.bottom, bottom],
      [this.#places.top, opposite(bottom)],
    ]))
      this.#show(place, ahead[side], opposite(side), side === 'white' ? white : -white);
  }

  /** @param {HTMLElement} place @param {string[]} roles @param {Color} color of the pieces taken @param {number} worth */
  #show(place, roles, color, worth) {
    place.hidden = !roles.length;
    const names = roles.map(role => roleName(this.#variant, role)).join(', ');
    const words = create('span', 'visually-hidden', t('round.ahead_by', { pieces: names }));
    const kinds = [...new Set(roles)].flatMap(role => {
      const n = roles.filter(one => one === role).length;
      const piece = create('piece', `${toLibraryRole(role)} ${color}`);
      return n > 1 ? [piece, Object.assign(create('small', '', `${n}`), { ariaHidden: 'true' })] : [piece];
    });
    place.replaceChildren(words, ...kinds);
    // Whole pawns, as everywhere in chess, where some pieces are worth a fraction more.
    const pawns = Math.round(worth);
    if (pawns > 0) place.append(create('b', '', `+${pawns}`));
  }
}

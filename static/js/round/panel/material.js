/**
 * Beside each name, what its side has taken more of than it has lost: the opponent's pieces, drawn small.
 *
 * @import { Position } from '../../board/position.js'
 * @import { Color, Variant } from '../../board/variant.js'
 */
import { toLibraryRole } from '../../board/geometry.js';
import { opposite, roleName } from '../../board/variant.js';
import { surplus } from '../../game/material.js';
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
    this.#show(this.#places.bottom, ahead[bottom], opposite(bottom));
    this.#show(this.#places.top, ahead[opposite(bottom)], bottom);
  }

  /** @param {HTMLElement} place @param {string[]} roles @param {Color} color of the pieces taken */
  #show(place, roles, color) {
    place.hidden = !roles.length;
    const names = roles.map(role => roleName(this.#variant, role)).join(', ');
    const words = create('span', 'visually-hidden', t('round.ahead_by', { pieces: names }));
    place.replaceChildren(words, ...roles.map(role => create('piece', `${toLibraryRole(role)} ${color}`)));
  }
}

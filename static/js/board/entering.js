/**
 * A piece of the pocket that was taken first, to enter behind another one when that moves: free until that is picked up, then
 * bound to its square until it has moved. Follows what the board library has picked up. Pure; knows no element.
 *
 * @import { Gestures } from './gestures.js'
 * @typedef {{role: string, square: string | null}} Entering   square: of the piece that it enters behind; null: it is free
 *
 * @typedef {object} Hand   what the library knows
 * @property {string | null} picked   up: a square or a drop such as "H@"
 * @property {boolean} moved   what was picked up has just moved, and nobody has been told yet
 */
import { dropOrigin } from './gestures.js';
import { targetsWith } from './gestures.js';

/**
 * @param {Entering | null} before @param {Hand} hand
 * @param {string[]} kinds of piece that enter so
 * @param {(role: string) => string[]} gatesFor the pieces behind which that kind can enter: squares
 * @returns {Entering | null}
 */
export function follow(before, { picked, moved }, kinds, gatesFor) {
  if (!picked) return moved ? before : null;
  const role = kinds.find(kind => dropOrigin(kind) === picked);
  if (role) return gatesFor(role).length ? { role, square: null } : null;
  if (!before || (before.square ?? picked) !== picked || !gatesFor(before.role).includes(picked)) return null;
  return { ...before, square: picked };
}

/**
 * Where each piece can go, those of the pocket also onto pieces behind which they enter.
 * @param {Gestures} gestures @param {Entering | null} entering @param {string[]} kinds
 * @param {(role: string) => string[]} gatesFor
 * @returns {Map<string, string[]>} by origin
 */
export function targets(gestures, entering, kinds, gatesFor) {
  const found = new Map([...gestures].map(([from, fan]) => [from, [...fan.keys()]]));
  for (const role of kinds) {
    const origin = dropOrigin(role);
    found.set(origin, [...(found.get(origin) ?? []), ...gatesFor(role)]);
  }
  if (entering?.square) found.set(entering.square, targetsWith(gestures, entering.square, entering.role));
  return found;
}

/**
 * How many checks a side has given, where a number of them wins: a full dot for each, an empty one for each to give.
 *
 * @import { Position } from '../../board/position.js'
 * @import { Color, Variant } from '../../board/variant.js'
 */
import { checksWords } from '../../board/position.js';
import { create } from '../dom.js';

/**
 * @param {Pick<Variant, 'checks'>} variant @param {Position} position @param {Color} side
 * @returns {HTMLElement[]} what is heard, and what is seen; nothing where checks are not counted
 */
export function checkCount({ checks = 0 }, position, side) {
  const words = checksWords({ checks }, position, side);
  const left = position.toCheck?.[side] ?? 0;
  const dots = create('b', '', '○'.repeat(left).padStart(checks, '●'));
  dots.ariaHidden = 'true';
  return words ? [create('span', 'visually-hidden', words), dots] : [];
}

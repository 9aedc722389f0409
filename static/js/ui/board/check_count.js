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
export function checkCount(variant, position, side) {
  const { checks = 0 } = variant;
  const words = checksWords(variant, position, side);
  if (!words || !position.toCheck) return [];
  const left = position.toCheck[side];
  const dots = create('b', '', '●'.repeat(checks - left) + '○'.repeat(left));
  dots.ariaHidden = 'true';
  return [create('span', 'visually-hidden', words), dots];
}

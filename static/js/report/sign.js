/**
 * What a report says of a move, beside it: the sign, and the word for whoever does not see it.
 *
 * @import { Mark } from './judgement.js'
 */
import { create } from '../ui/dom.js';
import { t } from '../words.js';
import { GLYPHS } from './judgement.js';

/** @param {Mark} mark @returns {HTMLElement[]} */
export function marked(mark) {
  const sign = create('span', `glyph ${mark}`, GLYPHS[mark]);
  sign.setAttribute('aria-hidden', 'true');
  return [sign, create('span', 'visually-hidden', `, ${t(`game_report.a_${mark}`)}`)];
}

/**
 * The style sheets of the pieces, made from the drawings when the site is built: one custom property for each kind and
 * colour, holding the picture; one rule for each letter that the board library can print; one class for each kind, for
 * pieces outside boards. Each further set is a style sheet of its own with the same properties, loaded by people who chose
 * it. Which letter means which kind is decided on the page, by board_style.mjs. Knows nothing of variants.
 */

import { DRAWINGS } from './drawings.mjs';
import { PIECE_SETS } from './piece_sets.mjs';
import { dataUrl, pieceSvg } from './svg.mjs';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const COLORS = /** @type {const} */ (['white', 'black']);

/** @param {import('./piece_sets.mjs').Drawn} set */
const drawings = set => DRAWINGS[PIECE_SETS[set].style];

/** @param {import('./piece_sets.mjs').Drawn} set */
const pictures = set =>
  COLORS.flatMap(color =>
    Object.entries(drawings(set)).map(
      ([kind, shapes]) => `--${kind}-${color}:${dataUrl(pieceSvg(shapes, color, set))};`,
    ),
  ).join('\n');

/** A promoted side, as in shogi, has a colour of its own in every set: its picture, tinted within its outline. */
const TINTS = { white: '#ffc4a8 multiply', black: '#7c1d0e screen' };
const PROMOTED = `:is(${[...LETTERS].map(letter => `.p${letter}-piece`)})`;

/** @param {'white' | 'black'} color */
function tinted(color) {
  const [tint, blend] = TINTS[color].split(' ');
  return (
    `piece${PROMOTED}.${color}{background-image:var(--side),linear-gradient(${tint} 0 0);` +
    `background-blend-mode:${blend};mask:var(--side) 0 0/100% 100%}`
  );
}

/** The kinds whose black pieces stand alone on any page, too. */
const USUAL = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'];

/** The styles that every page loads. @returns {string} */
export default function piecesCss() {
  const rules = [...LETTERS].flatMap(letter =>
    COLORS.flatMap(color => [
      `piece.${letter}-piece.${color}{background-image:var(--${letter}-${color})}`,
      `piece.p${letter}-piece.${color}{--side:var(--p${letter}-${color})}`,
    ]),
  );
  const sides = `piece${PROMOTED}{background-image:var(--side)}@supports (mask:none){${COLORS.map(tinted).join('')}}`;
  const alone = Object.keys(drawings('carved')).map(kind => `.kind-${kind}{background-image:var(--${kind}-white)}`);
  const black = USUAL.map(kind => `.kind-${kind}.black{background-image:var(--${kind}-black)}`);
  return `:root,[data-pieces="carved"]{${pictures('carved')}}\n${[...rules, sides, ...alone, ...black].join('\n')}\n`;
}

/** The style sheet of another set. @param {import('./piece_sets.mjs').Drawn} set @returns {string} */
export const setCss = set => `[data-pieces="${set}"]{${pictures(set)}}\n`;

/** The other sets in one, and black pieces outside boards: for the page on which a set is chosen. @returns {string} */
export const allSetsCss = () => {
  const others = /** @type {import('./piece_sets.mjs').Drawn[]} */ (Object.keys(PIECE_SETS).slice(1));
  const black = Object.keys(drawings('carved')).map(
    kind => `.kind-${kind}.black{background-image:var(--${kind}-black)}\n`,
  );
  return [...others.map(setCss), ...black].join('');
};

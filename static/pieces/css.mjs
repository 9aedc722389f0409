/**
 * The stylesheet of the pieces, made from the drawings when the site is built: one custom property for each kind and
 * colour, holding the picture; one rule for each letter that the board library can print; one class for each kind, for
 * a piece outside boards.
 * Which letter means which kind is said on the page by dress.mjs. Knows nothing of variants.
 */

import { DRAWINGS } from './drawings.mjs';
import { dataUrl, pieceSvg } from './svg.mjs';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The whole stylesheet. @returns {string} */
export default function piecesCss() {
  const colors = /** @type {const} */ (['white', 'black']);
  const pictures = colors.flatMap((color) =>
    Object.entries(DRAWINGS).map(([kind, shapes]) => `--${kind}-${color}:${dataUrl(pieceSvg(shapes, color))};`),
  );
  const rules = [...LETTERS].flatMap((letter) => [letter, `p${letter}`]).flatMap((role) =>
    colors.map((color) => `piece.${role}-piece.${color}{background-image:var(--${role}-${color})}`),
  );
  const alone = Object.keys(DRAWINGS).map((kind) => `.kind-${kind}{background-image:var(--${kind}-white)}`);
  return `:root{${pictures.join('\n')}}\n${[...rules, ...alone].join('\n')}\n`;
}

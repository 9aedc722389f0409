/**
 * Tells the board's style sheet what a variant looks like: how many files and ranks, and which drawing each letter has. A
 * letter means different pieces in different variants (C is a chancellor or a crocodile), so these are custom properties of
 * the element around the board and its pockets. A piece without a drawing is shown as a disc with its letter, and so is
 * every piece for people who have chosen letters. Follows the choice of appearance while the page is open.
 */

import { LETTERS } from './piece_sets.mjs';
import { dataUrl, pieceSvg } from './svg.mjs';

/** @typedef {{files: number, ranks: number, pocketRoles: string[], roles: Record<string, {name: string}>, goals?: string[], checks?: number}} StyledVariant */

/** Dispatched on the document when another appearance has been chosen. */
export const APPEARANCE_CHANGE = 'appearancechange';

/** Each styled element's variant. @type {WeakMap<HTMLElement, StyledVariant>} */
const styled = new WeakMap();

/** @param {string} letters as in a FEN, e.g. "c" or "+n" @param {number} size @param {number} x @param {number} y */
const text = (letters, size, x, y) =>
  `<text class='m' x='${x}' y='${y}' font-family='sans-serif' font-weight='700' font-size='${size}' text-anchor='middle'>${letters.toUpperCase()}</text>`;

/** @param {string} letters */
const token = letters => `<circle cx='50' cy='50' r='38'/>${text(letters, letters.length > 1 ? 38 : 48, 50, 66)}`;

/** A small disc in the corner of a drawing. @param {string} letters */
const badge = letters =>
  `<circle cx='82' cy='80' r='19' stroke-width='3'/>${text(letters, letters.length > 1 ? 21 : 27, 82, 89)}`;

/**
 * Prepares an element so that boards, pockets and single pieces inside it are drawn for this variant.
 * @param {HTMLElement} element
 * @param {StyledVariant} variant
 */
export function styleBoard(element, variant) {
  const set = (/** @type {string} */ name, /** @type {string} */ value) => element.style.setProperty(name, value);
  set('--files', String(variant.files));
  set('--ranks', String(variant.ranks));
  set('--pocket-kinds', String(variant.pocketRoles.length));
  const letters = Object.keys(variant.roles);
  set('--promoted-mark', letters.some(letter => letter.startsWith('+')) ? 'none' : 'block');
  styled.set(element, variant);
  element.dataset.styled = '';
  paintPieces(element, variant);
  document.addEventListener(APPEARANCE_CHANGE, paintAll); // adds it once only
}

/** Looks elements up, rather than keeping them: on the TV page boards come and go for hours. */
function paintAll() {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-styled]'))) {
    const variant = styled.get(element);
    if (variant) paintPieces(element, variant);
  }
}

/** @param {HTMLElement} element @param {StyledVariant} variant */
function paintPieces(element, { roles }) {
  const { pieces, letters } = document.documentElement.dataset;
  for (const [letter, { name }] of Object.entries(roles)) {
    const kind = name.toLowerCase().replace(/\W+/g, '-');
    for (const color of /** @type {const} */ (['white', 'black'])) {
      const disc = dataUrl(pieceSvg(token(letter), color));
      const drawn = pieces === LETTERS ? disc : `var(--${kind}-${color},${disc})`;
      const marked =
        letters === 'on' && pieces !== LETTERS ? `${dataUrl(pieceSvg(badge(letter), color))},${drawn}` : drawn;
      element.style.setProperty(`--${letter.replace('+', 'p')}-${color}`, marked);
    }
  }
}

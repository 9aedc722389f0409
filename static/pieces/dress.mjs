/**
 * Tells the board's stylesheet what a variant looks like: how many files and ranks, and which drawing each letter has.
 * Letters belong to a variant (C is a chancellor here and a crocodile there), so this is said on the element that holds
 * the board and its pockets, as custom properties. A kind nobody has drawn is shown as a disc with its letter.
 */

import { dataUrl, pieceSvg } from './svg.mjs';

/** @param {string} letters as in a FEN, e.g. "c" or "+n" */
function token(letters) {
  const size = letters.length > 1 ? 38 : 48;
  const text = `<text class='m' x='50' y='66' font-family='sans-serif' font-weight='700' font-size='${size}' text-anchor='middle'>${letters.toUpperCase()}</text>`;
  return `<circle cx='50' cy='50' r='38'/>${text}`;
}

/**
 * Prepare an element so that boards, pockets and single pieces inside it are drawn for this variant.
 * @param {HTMLElement} element
 * @param {{files: number, ranks: number, pocketRoles: string[], roles: Record<string, {name: string}>}} variant
 */
export function dress(element, variant) {
  const set = (/** @type {string} */ name, /** @type {string} */ value) => element.style.setProperty(name, value);
  set('--files', String(variant.files));
  set('--ranks', String(variant.ranks));
  set('--kinds-in-hand', String(variant.pocketRoles.length));
  const letters = Object.keys(variant.roles);
  set('--promoted-mark', letters.some((letter) => letter.startsWith('+')) ? 'none' : 'block');
  for (const letter of letters) {
    const kind = variant.roles[letter].name.toLowerCase().replace(/\W+/g, '-');
    for (const color of /** @type {const} */ (['white', 'black'])) {
      const picture = `var(--${kind}-${color},${dataUrl(pieceSvg(token(letter), color))})`;
      set(`--${letter.replace('+', 'p')}-${color}`, picture);
    }
  }
}

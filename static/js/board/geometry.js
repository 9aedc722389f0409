/**
 * Squares and their names. The only place that knows how the board library writes them: one character per rank, so that
 * rank 10 is ':' (chessgroundx, types.ts). Everywhere else a square is a string such as "a10".
 *
 * @import { Key, Orig, Role as LibraryRole } from 'chessgroundx/types'
 */

const FIRST_FILE = 'a'.charCodeAt(0);
const RANK_ZERO = '0'.charCodeAt(0);

/** @param {string} square @returns {[number, number]} file and rank, 0-based, from White's left corner */
export const toXY = square => [square.charCodeAt(0) - FIRST_FILE, Number(square.slice(1)) - 1];

/** @param {number} x @param {number} y @returns {string} */
export const toSquare = (x, y) => String.fromCharCode(FIRST_FILE + x) + (y + 1);

/** @param {string} square "a10" @returns {Key} "a:" */
export const toKey = square =>
  /** @type {Key} */ (square[0] + String.fromCharCode(RANK_ZERO + Number(square.slice(1))));

/** @param {string} key "a:" @returns {string} "a10" */
export const fromKey = key => key[0] + (key.charCodeAt(1) - RANK_ZERO);

/** @param {string} origin a square or a drop, "P@" @returns {Orig} the library writes drops as we do */
export const toOrigin = origin => (origin.endsWith('@') ? /** @type {Orig} */ (origin) : toKey(origin));

/** @param {string} origin @returns {string} */
export const fromOrigin = origin => (origin.endsWith('@') ? origin : fromKey(origin));

/** @param {string} role "p", "+p" @returns {LibraryRole} "p-piece", "pp-piece" */
export const toLibraryRole = role => /** @type {LibraryRole} */ (`${role.replace('+', 'p')}-piece`);

/** @param {string} name "pp-piece" @returns {string} "+p" */
export const fromLibraryRole = name => {
  const letters = name.slice(0, -'-piece'.length);
  return letters.length > 1 ? `+${letters[1]}` : letters;
};

/** @param {{files: number, ranks: number}} size @param {number} x @param {number} y */
export const onBoard = (size, x, y) => x >= 0 && y >= 0 && x < size.files && y < size.ranks;

/**
 * A small board to look at, not to play on: a position and a side's pocket, drawn without the board library. It needs an
 * element around it that `styleBoard` has prepared for the variant. Knows no page.
 */
import { toLibraryRole, toXY } from './geometry.js';
import { isDisguised, parseFen } from './position.js';

/**
 * @param {string} fen the whole FEN or its first field
 * @param {{files: number, ranks: number, goals?: string[]}} size
 * @param {string[]} marked squares of the last move, the one that it reached last
 * @param {boolean} [fromBlack] as Black sees it
 * @returns {HTMLElement} as wide as its parent
 */
export function smallBoard(fen, { files, ranks, goals = [] }, marked = [], fromBlack = false) {
  const board = document.createElement('div');
  board.className = 'board small-board';
  board.setAttribute('aria-hidden', 'true');
  const put = (/** @type {string} */ tag, /** @type {string} */ look, /** @type {string} */ square) => {
    const element = document.createElement(tag);
    element.className = look;
    const [x, y] = toXY(square);
    element.style[fromBlack ? 'right' : 'left'] = `${(x * 100) / files}%`;
    element.style[fromBlack ? 'top' : 'bottom'] = `${(y * 100) / ranks}%`;
    board.append(element);
  };
  for (const square of goals) put('square', 'square-goal', square);
  for (const square of marked) put('square', `last-move ${square === marked.at(-1) ? 'to' : 'from'}`, square);
  for (const [square, piece] of parseFen(fen).pieces)
    put('piece', `${toLibraryRole(piece.role)} ${piece.color}${isDisguised(piece) ? ' promoted' : ''}`, square);
  return board;
}

/**
 * @param {string} fen @param {string[]} roles that can be in the pocket, in order of display @param {import('./variant.js').Color} color
 * @returns {HTMLElement[]} a picture of each kind of piece, with its number
 */
export function smallPocket(fen, roles, color) {
  const held = parseFen(fen).pockets[color];
  return roles.map(role => {
    const square = document.createElement('square');
    const piece = document.createElement('piece');
    piece.className = `${toLibraryRole(role)} ${color}`;
    piece.dataset.nb = String(held.get(role) ?? 0);
    square.append(piece);
    return square;
  });
}

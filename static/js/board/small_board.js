/**
 * A board to look at, not to play on: one position, small, drawn without the board library. Its look is that of the
 * element it stands in, which `dress` has prepared for the variant. Knows no page.
 */
import { toLibraryRole, toXY } from './geometry.js';
import { parseFen } from './position.js';

/**
 * @param {string} fen all of it or only its first field
 * @param {{files: number, ranks: number}} size
 * @returns {HTMLElement} as wide as the element it is put into
 */
export function smallBoard(fen, { files, ranks }) {
  const board = document.createElement('div');
  board.className = 'board small-board';
  board.setAttribute('aria-hidden', 'true');
  for (const [square, { role, color }] of parseFen(fen).pieces) {
    const piece = document.createElement('piece');
    piece.className = `${toLibraryRole(role)} ${color}`;
    const [x, y] = toXY(square);
    piece.style.left = `${(x * 100) / files}%`;
    piece.style.bottom = `${(y * 100) / ranks}%`;
    board.append(piece);
  }
  return board;
}

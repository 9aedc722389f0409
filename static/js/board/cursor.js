/**
 * Where an arrow key takes the keyboard cursor: over the squares and, past the edge, into the pocket that is there.
 * Pure; knows no element.
 *
 * @import { Color } from './variant.js'
 * @typedef {{at: 'board', x: number, y: number} | {at: 'pocket', color: Color, index: number}} Cursor
 *   `index` counts the kinds of the pocket in order of display
 *
 * @typedef {object} BoardLayout
 * @property {Color} orientation   the side at the bottom
 * @property {boolean} beside   the pockets are columns at the right edge of the board, starting at the top of the upper
 *   one and at the bottom of the lower one; otherwise they are rows above and below the board
 * @property {number} kinds   of pieces in each pocket
 */
import { onBoard } from './geometry.js';
import { opposite } from './variant.js';

/**
 * @param {Cursor} from
 * @param {[number, number]} arrow   steps to the right and up as seen on the screen, one of them 0
 * @param {BoardLayout} layout
 * @param {{files: number, ranks: number}} size
 * @returns {Cursor} `from` itself if there is nothing in that direction
 */
export function step(from, arrow, layout, size) {
  if (from.at === 'pocket')
    return layout.beside ? inColumn(from, arrow, layout, size) : inRow(from, arrow, layout, size);
  const sign = layout.orientation === 'white' ? 1 : -1;
  const [x, y] = [from.x + arrow[0] * sign, from.y + arrow[1] * sign];
  if (onBoard(size, x, y)) return { at: 'board', x, y };
  if (!layout.kinds) return from;
  return layout.beside ? intoColumn(from, arrow, layout, size) : intoRow(from, arrow, layout, size);
}

/** @param {Color} color @param {BoardLayout} layout */
const isBelow = (color, { orientation }) => color === orientation;

/** @param {number} row counted from the bottom of the screen @param {BoardLayout} layout @param {{ranks: number}} size */
const rankAt = (row, { orientation }, { ranks }) => (orientation === 'white' ? row : ranks - 1 - row);

/** @param {number} column counted from the left of the screen @param {BoardLayout} layout @param {{files: number}} size */
const fileAt = (column, { orientation }, { files }) => (orientation === 'white' ? column : files - 1 - column);

/** @param {Extract<Cursor, {at: 'board'}>} from @param {[number, number]} arrow @param {BoardLayout} layout
 * @param {{files: number}} size @returns {Cursor} */
function intoRow(from, [, up], layout, size) {
  if (!up) return from;
  const color = up === -1 ? layout.orientation : opposite(layout.orientation);
  return { at: 'pocket', color, index: Math.min(fileAt(from.x, layout, size), layout.kinds - 1) };
}

/** @param {Extract<Cursor, {at: 'pocket'}>} from @param {[number, number]} arrow @param {BoardLayout} layout
 * @param {{files: number, ranks: number}} size @returns {Cursor} */
function inRow(from, [right, up], layout, size) {
  if (right) return { ...from, index: (from.index + right + layout.kinds) % layout.kinds };
  const below = isBelow(from.color, layout);
  if (up !== (below ? 1 : -1)) return from;
  const column = Math.min(from.index, size.files - 1);
  return { at: 'board', x: fileAt(column, layout, size), y: rankAt(below ? 0 : size.ranks - 1, layout, size) };
}

/** @param {Extract<Cursor, {at: 'board'}>} from @param {[number, number]} arrow @param {BoardLayout} layout
 * @param {{ranks: number}} size @returns {Cursor} */
function intoColumn(from, [right], layout, size) {
  if (right !== 1) return from;
  const row = rankAt(from.y, layout, size);
  const below = row < size.ranks / 2;
  const color = below ? layout.orientation : opposite(layout.orientation);
  return { at: 'pocket', color, index: Math.min(below ? row : size.ranks - 1 - row, layout.kinds - 1) };
}

/** @param {Extract<Cursor, {at: 'pocket'}>} from @param {[number, number]} arrow @param {BoardLayout} layout
 * @param {{files: number, ranks: number}} size @returns {Cursor} */
function inColumn(from, [right, up], layout, size) {
  const below = isBelow(from.color, layout);
  const height = Math.min(from.index, Math.ceil(size.ranks / 2) - 1);
  if (right === -1) {
    const x = fileAt(size.files - 1, layout, size);
    return { at: 'board', x, y: rankAt(below ? height : size.ranks - 1 - height, layout, size) };
  }
  const index = from.index + (below ? up : -up);
  if (index < 0) return from;
  // The two columns meet in the middle.
  return index < layout.kinds ? { ...from, index } : { ...from, color: opposite(from.color) };
}

/**
 * Where an arrow key takes the keyboard cursor: over the squares and, past the edge, into the pocket that is there.
 * Pure; knows no element.
 *
 * @import { Color } from './variant.js'
 * @typedef {{at: 'board', x: number, y: number} | {at: 'pocket', color: Color, index: number}} Cursor
 *   `index` counts the kinds of the pocket in order of display
 *
 * @typedef {object} Table
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
 * @param {Table} table
 * @param {{files: number, ranks: number}} size
 * @returns {Cursor} `from` itself if there is nothing in that direction
 */
export function step(from, arrow, table, size) {
  if (from.at === 'pocket') return table.beside ? inColumn(from, arrow, table, size) : inRow(from, arrow, table, size);
  const sign = table.orientation === 'white' ? 1 : -1;
  const [x, y] = [from.x + arrow[0] * sign, from.y + arrow[1] * sign];
  if (onBoard(size, x, y)) return { at: 'board', x, y };
  if (!table.kinds) return from;
  return table.beside ? intoColumn(from, arrow, table, size) : intoRow(from, arrow, table, size);
}

/** @param {Color} color @param {Table} table */
const isBelow = (color, { orientation }) => color === orientation;

/** @param {number} row counted from the bottom of the screen @param {Table} table @param {{ranks: number}} size */
const rankAt = (row, { orientation }, { ranks }) => (orientation === 'white' ? row : ranks - 1 - row);

/** @param {number} column counted from the left of the screen @param {Table} table @param {{files: number}} size */
const fileAt = (column, { orientation }, { files }) => (orientation === 'white' ? column : files - 1 - column);

/** @param {Extract<Cursor, {at: 'board'}>} from @param {[number, number]} arrow @param {Table} table
 * @param {{files: number}} size @returns {Cursor} */
function intoRow(from, [, up], table, size) {
  if (!up) return from;
  const color = up === -1 ? table.orientation : opposite(table.orientation);
  return { at: 'pocket', color, index: Math.min(fileAt(from.x, table, size), table.kinds - 1) };
}

/** @param {Extract<Cursor, {at: 'pocket'}>} from @param {[number, number]} arrow @param {Table} table
 * @param {{files: number, ranks: number}} size @returns {Cursor} */
function inRow(from, [right, up], table, size) {
  if (right) return { ...from, index: (from.index + right + table.kinds) % table.kinds };
  const below = isBelow(from.color, table);
  if (up !== (below ? 1 : -1)) return from;
  const column = Math.min(from.index, size.files - 1);
  return { at: 'board', x: fileAt(column, table, size), y: rankAt(below ? 0 : size.ranks - 1, table, size) };
}

/** @param {Extract<Cursor, {at: 'board'}>} from @param {[number, number]} arrow @param {Table} table
 * @param {{ranks: number}} size @returns {Cursor} */
function intoColumn(from, [right], table, size) {
  if (right !== 1) return from;
  const row = rankAt(from.y, table, size);
  const below = row < size.ranks / 2;
  const color = below ? table.orientation : opposite(table.orientation);
  return { at: 'pocket', color, index: Math.min(below ? row : size.ranks - 1 - row, table.kinds - 1) };
}

/** @param {Extract<Cursor, {at: 'pocket'}>} from @param {[number, number]} arrow @param {Table} table
 * @param {{files: number, ranks: number}} size @returns {Cursor} */
function inColumn(from, [right, up], table, size) {
  const below = isBelow(from.color, table);
  const height = Math.min(from.index, Math.ceil(size.ranks / 2) - 1);
  if (right === -1) {
    const x = fileAt(size.files - 1, table, size);
    return { at: 'board', x, y: rankAt(below ? height : size.ranks - 1 - height, table, size) };
  }
  const index = from.index + (below ? up : -up);
  if (index < 0) return from;
  // The two columns meet in the middle.
  return index < table.kinds ? { ...from, index } : { ...from, color: opposite(from.color) };
}

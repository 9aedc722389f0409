/**
 * Where the tiles of a choice stand: in a column that starts on the square which they are about and runs toward the middle
 * of the board, with another one beside it where one is not enough. Pure; everything is in px from the board's top left
 * corner.
 *
 * @import { Color } from '../variant.js'
 * @typedef {{square: string, tiles: number}} Group   tiles that are about one square
 * @typedef {object} Column
 * @property {number} group   index of its group
 * @property {number} tiles   how many
 * @property {number} width   of its tiles
 * @property {number} left
 * @property {number} top
 * @property {boolean} up   the first tile is the lowest
 */
import { toXY } from '../geometry.js';

/** What is pressed with a finger is at least so large, also where a square is smaller. */
export const LEAST_TILE_PX = 48;
/** So wide is a tile, as far as the board allows, that has its name beside the piece. */
const WITH_NAME_PX = 128;

/** @param {number} side of a square @returns {number} the height of a tile; its width, too, unless a name is beside the piece */
export const tileSide = side => Math.max(side, LEAST_TILE_PX);

/**
 * @param {Group[]} groups @param {{files: number, ranks: number}} size @param {Color} bottom the side at the bottom
 * @param {number} side of a square
 * @param {boolean} wide whether names stand beside the pieces
 * @returns {Column[]} in the order of the groups; none lies over another, and all are on the board
 */
export function columnsOf(groups, size, bottom, side, wide = false) {
  const columns = groups.flatMap(({ square, tiles }, group) => {
    const { up, start, most } = startOf(square, size, bottom, side);
    return Array.from({ length: Math.ceil(tiles / most) }, (_, nth) => {
      const count = Math.min(tiles - nth * most, most);
      return { group, nth, square, tiles: count, top: up ? start - count * tileSide(side) : start, up };
    });
  });
  const room = size.files * side;
  const most = wide ? Math.min(WITH_NAME_PX, Math.floor(room / columns.length)) : 0;
  const width = Math.max(tileSide(side), most);
  const wished = columns.map(({ square, nth }) => wishedLeft(square, nth, size, bottom, side, width));
  const lefts = apart(wished, width, room - width);
  return columns.map(({ group, tiles, top, up }, index) => ({ group, tiles, top, up, width, left: lefts[index] }));
}

/** The edge at which a column starts, and how many tiles it holds at most.
 * @param {string} square @param {{files: number, ranks: number}} size @param {Color} bottom @param {number} side */
function startOf(square, { ranks }, bottom, side) {
  const y = toXY(square)[1];
  const row = bottom === 'white' ? ranks - 1 - y : y;
  const up = row >= ranks / 2;
  const start = (up ? row + 1 : row) * side;
  const room = up ? start : ranks * side - start;
  return { up, start, most: Math.max(1, Math.floor(room / tileSide(side))) };
}

/** Where a column would best stand: the first over its square, the others beside it on the side of the middle.
 * @param {string} square @param {number} nth of the columns of that square, from 0 @param {{files: number}} size
 * @param {Color} bottom @param {number} side @param {number} width */
function wishedLeft(square, nth, { files }, bottom, side, width) {
  const [x] = toXY(square);
  const file = bottom === 'white' ? x : files - 1 - x;
  const over = Math.max(0, Math.min(file * side + (side - tileSide(side)) / 2, files * side - width));
  return over + nth * width * (file < files / 2 ? 1 : -1);
}

/** Moves what would lie over another, or beyond the edge, by no more than it must. @param {number[]} lefts @param {number} width
 * @param {number} last the farthest to the right @returns {number[]} */
function apart(lefts, width, last) {
  const order = lefts.map((_, index) => index).sort((one, other) => lefts[one] - lefts[other]);
  const moved = [...lefts];
  order.forEach((at, n) => {
    moved[at] = Math.max(lefts[at], n ? moved[order[n - 1]] + width : 0);
  });
  for (let n = order.length - 1, most = last; n >= 0; n--, most -= width)
    moved[order[n]] = Math.min(moved[order[n]], most);
  return moved;
}

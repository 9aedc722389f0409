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
 * @property {number} left
 * @property {number} top
 * @property {boolean} up   the first tile is the lowest
 */
import { toXY } from '../geometry.js';

/** What is pressed with a finger is at least so large, also where a square is smaller. */
export const LEAST_TILE_PX = 48;

/** @param {number} side of a square @returns {number} the side of a tile */
export const tileSide = side => Math.max(side, LEAST_TILE_PX);

/**
 * @param {Group[]} groups @param {{files: number, ranks: number}} size @param {Color} bottom the side at the bottom
 * @param {number} side of a square
 * @returns {Column[]} in the order of the groups; none lies over another, and all are on the board
 */
export function columnsOf(groups, size, bottom, side) {
  /** @type {Column[]} */
  const columns = [];
  for (const [group, { square, tiles }] of groups.entries()) {
    const { up, start, most } = startOf(square, size, bottom, side);
    for (let left = tiles; left > 0; left -= most) {
      const count = Math.min(left, most);
      const top = up ? start - count * tileSide(side) : start;
      columns.push({ group, tiles: count, left: freeLeft(columns, square, size, bottom, side), top, up });
    }
  }
  return columns;
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

/** The first free place for another column: over the square, else as near to it as possible on the side of the middle.
 * @param {Column[]} columns @param {string} square @param {{files: number}} size @param {Color} bottom @param {number} side */
function freeLeft(columns, square, { files }, bottom, side) {
  const [x] = toXY(square);
  const file = bottom === 'white' ? x : files - 1 - x;
  const tile = tileSide(side);
  const last = files * side - tile;
  const over = Math.max(0, Math.min(file * side + (side - tile) / 2, last));
  const inward = file < files / 2 ? 1 : -1;
  const isFree = (/** @type {number} */ left) => columns.every(other => Math.abs(other.left - left) > tile - 1);
  const taken = columns.flatMap(({ left }) => [left + inward * tile, left - inward * tile]);
  const places = taken.filter(left => left >= 0 && left <= last && isFree(left));
  places.sort((a, b) => Math.abs(a - over) - Math.abs(b - over) || (b - a) * inward);
  return isFree(over) ? over : (places[0] ?? over);
}

/** Where the tiles of a choice stand: on the board, none over another, with any number of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEAST_TILE_PX, columnsOf, tileSide } from '../../../static/js/board/choices/choice_columns.js';
import { toSquare } from '../../../static/js/board/geometry.js';

const SIZES = [
  [8, 8],
  [10, 8],
  [10, 10],
  [12, 12],
].map(([files, ranks]) => ({ files, ranks }));
const SIDES = [30, 36, 45, 57, 102];

/** Every square of every board, seen from either side, on screens small and large. */
function* everywhere() {
  for (const size of SIZES)
    for (const side of SIDES)
      for (const bottom of ['white', 'black'])
        for (let x = 0; x < size.files; x++)
          for (let y = 0; y < size.ranks; y++) {
            const [right, down] = bottom === 'white' ? [x, size.ranks - 1 - y] : [size.files - 1 - x, y];
            yield { size, side, bottom, square: toSquare(x, y), at: { left: right * side, top: down * side } };
          }
}

/** @returns {{left: number, top: number}[]} where each tile stands */
const tilesOf = (columns, tile) =>
  columns.flatMap(({ tiles, left, top, up }) =>
    Array.from({ length: tiles }, (_, n) => ({ left, top: top + tile * (up ? tiles - 1 - n : n) })),
  );

const apart = (one, other, tile) =>
  Math.abs(one.left - other.left) > tile - 1 || Math.abs(one.top - other.top) > tile - 1;

test('any number of tiles starts on the square, stays on the board and can be hit by a finger', () => {
  for (const { size, side, bottom, square, at } of everywhere())
    for (const count of [1, 2, 4, 7, 9]) {
      const where = `${square} of ${size.files}x${size.ranks}, ${side} px, ${bottom} below, ${count} tiles`;
      const tile = tileSide(side);
      assert.ok(tile >= side && tile >= LEAST_TILE_PX);
      const tiles = tilesOf(columnsOf([{ square, tiles: count }], size, bottom, side), tile);
      assert.equal(tiles.length, count, where);
      for (const [n, one] of tiles.entries()) {
        assert.ok(one.left >= 0 && one.left + tile <= size.files * side, where);
        assert.ok(one.top >= 0 && one.top + tile <= size.ranks * side, where);
        for (const other of tiles.slice(n + 1)) assert.ok(apart(one, other, tile), where);
      }
      const [first] = tiles;
      assert.ok(first.left <= at.left && at.left + side <= first.left + tile, where);
      assert.ok(first.top <= at.top && at.top + side <= first.top + tile, where);
    }
});

test('a column runs toward the middle, and the next one is beside it on the side of the middle', () => {
  for (const { size, side, bottom, square, at } of everywhere()) {
    const middle = { left: ((size.files - 1) * side) / 2, top: ((size.ranks - 1) * side) / 2 };
    const columns = columnsOf([{ square, tiles: 9 }], size, bottom, side);
    const [first, second] = tilesOf(columns, tileSide(side));
    assert.equal(Math.sign(second.top - first.top), at.top < middle.top ? 1 : -1, square);
    if (columns.length > 1) assert.equal(Math.sign(columns[1].left - columns[0].left), at.left < middle.left ? 1 : -1);
  }
});

test('tiles about two squares, as at castling, never lie over each other', () => {
  for (const size of SIZES)
    for (const side of SIDES)
      for (const bottom of ['white', 'black'])
        for (let king = 0; king < size.files; king++)
          for (let rook = 0; rook < size.files; rook++) {
            if (king === rook) continue;
            const groups = [king, rook].map((x, n) => ({ square: toSquare(x, 0), tiles: 3 - n }));
            const tiles = tilesOf(columnsOf(groups, size, bottom, side), tileSide(side));
            assert.equal(tiles.length, 5);
            for (const [n, one] of tiles.entries())
              for (const other of tiles.slice(n + 1)) assert.ok(apart(one, other, tileSide(side)), `${king} ${rook}`);
          }
});

test('tiles with names beside the pieces are wider, never lie over each other, and begin at the square', () => {
  for (const { size, side, bottom, square, at } of everywhere()) {
    if (side >= 64) continue;
    for (const count of [1, 4, 7]) {
      const columns = columnsOf([{ square, tiles: count }], size, bottom, side, true);
      const height = tileSide(side);
      for (const [n, one] of columns.entries()) {
        assert.ok(one.width >= Math.min(120, (size.files * side) / columns.length - 1), square);
        assert.ok(one.left >= 0 && one.left + one.width <= size.files * side, square);
        for (const other of columns.slice(n + 1))
          assert.ok(Math.abs(one.left - other.left) >= one.width, `${square}, ${side} px, ${count} tiles`);
      }
      const [first] = columns;
      if (columns.length > 2) continue;
      assert.ok(first.left <= at.left && at.left + side <= first.left + first.width, square);
      const top = first.up ? first.top + (first.tiles - 1) * height : first.top;
      assert.ok(top <= at.top && at.top + side <= top + height, square);
    }
  }
});

test('wide tiles about two squares stand beside each other', () => {
  for (const size of SIZES)
    for (const side of [30, 36, 45])
      for (const [king, rook] of [
        [4, 7],
        [4, 0],
        [5, 6],
        [1, 0],
      ]) {
        const groups = [king, rook].map((x, n) => ({ square: toSquare(x, 0), tiles: 3 - n }));
        const [one, other] = columnsOf(groups, size, 'white', side, true);
        assert.ok(Math.abs(one.left - other.left) >= one.width);
        assert.equal(Math.sign(other.left - one.left), Math.sign(rook - king));
      }
});

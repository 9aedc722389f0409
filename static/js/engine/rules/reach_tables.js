/**
 * The moves of every piece from every square, in one array of numbers that the move generator reads from front to back.
 *
 * Three programs for a piece on a square, found by `code << 8 | square`; position 0 means there is nothing to read:
 * `both`: number of jumps, each target; number of rays, each its length and squares.
 * `divided`: number of quiet rays, each length and squares; then the same of taking rays.
 * `bent`: number of elbows, each its square, number of rays, each length and squares.
 *
 * @import { Ray, Reach } from './movement.js'
 * @typedef {object} ReachTables
 * @property {Int32Array} both
 * @property {Int32Array} divided
 * @property {Int32Array} bent
 * @property {Int16Array} data
 */

/** @param {(Reach[] | null)[]} reaches by code, then square @returns {ReachTables} */
export function reachTables(reaches) {
  const tables = { both: new Int32Array(65536), divided: new Int32Array(65536), bent: new Int32Array(65536) };
  const data = [0];
  reaches.forEach((squares, code) => {
    squares?.forEach((reach, square) => {
      const at = (code << 8) | square;
      if (reach.both.length) tables.both[at] = addBoth(data, reach.both);
      if (reach.quiet.length + reach.takes.length) tables.divided[at] = addDivided(data, reach);
      if (reach.bents.length) tables.bent[at] = addBents(data, reach);
    });
  });
  return { ...tables, data: Int16Array.from(data) };
}

/** @param {number[]} data @param {Ray[]} rays */
function addBoth(data, rays) {
  const start = data.length;
  const jumps = rays.filter(ray => ray.squares.length === 1);
  data.push(jumps.length, ...jumps.map(ray => ray.squares[0]));
  addRays(
    data,
    rays.filter(ray => ray.squares.length > 1),
  );
  return start;
}

/** @param {number[]} data @param {Reach} reach */
function addDivided(data, reach) {
  const start = data.length;
  addRays(data, reach.quiet);
  addRays(data, reach.takes);
  return start;
}

/** @param {number[]} data @param {Reach} reach */
function addBents(data, { bents }) {
  const start = data.length;
  data.push(bents.length);
  for (const { elbow, rays } of bents) {
    data.push(elbow.squares[0]);
    addRays(data, rays);
  }
  return start;
}

/** @param {number[]} data @param {Ray[]} rays */
function addRays(data, rays) {
  data.push(rays.length);
  for (const { squares } of rays) data.push(squares.length, ...squares);
}

/**
 * Random numbers, the same in every run, from which the hash of a position is made: two halves of 32 bits.
 *
 * What repetition ignores (marks of promoted pieces, gating rights) is hashed apart, in `extra`.
 *
 * @import { Codes } from './pieces.js'
 * @typedef {object} Zobrist
 * @property {Int32Array} low   by `code << 8 | square`
 * @property {Int32Array} high
 * @property {Int32Array} extra   0 for pieces without a mark
 * @property {Int32Array} pocketLow   by `(side * roles + place) << 8 | count`
 * @property {Int32Array} pocketHigh
 * @property {Int32Array} castlingLow   by bit
 * @property {Int32Array} castlingHigh
 * @property {Int32Array} gates   by bit
 * @property {Int32Array} enPassant   by square; the same for both halves
 * @property {Int32Array} checks   by `side << 4 | left to give`; the same for both halves
 * @property {number} side   to both halves if Black is to move
 */

/** xorshift32, seeded. @param {number} seed */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
}

/** @param {Codes} codes @param {number} size @param {number} roles in the pocket @returns {Zobrist} */
export function zobristOf(codes, size, roles) {
  const next = randomNumbers(0x2545f491);
  const list = (/** @type {number} */ length) => Int32Array.from({ length }, next);
  const low = new Int32Array(65536);
  const high = new Int32Array(65536);
  const extra = new Int32Array(65536);
  codes.kinds.forEach((kind, code) => {
    for (let square = 0; kind && !kind.marked && square < size; square++) {
      low[(code << 8) | square] = next();
      high[(code << 8) | square] = next();
    }
  });
  codes.kinds.forEach((kind, code) => {
    for (let square = 0; kind?.marked && square < size; square++) {
      low[(code << 8) | square] = low[(codes.unmarked[code] << 8) | square];
      high[(code << 8) | square] = high[(codes.unmarked[code] << 8) | square];
      extra[(code << 8) | square] = next();
    }
  });
  const pockets = (2 * roles) << 8;
  return {
    low,
    high,
    extra,
    pocketLow: list(pockets),
    pocketHigh: list(pockets),
    castlingLow: list(32),
    castlingHigh: list(32),
    gates: list(32),
    enPassant: list(256),
    side: next(),
    checks: list(32),
  };
}

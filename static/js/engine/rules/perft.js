/**
 * Counts the leaves of the legal move tree, the usual test of a move generator.
 *
 * @import { Position } from './position.js'
 */
import { generate } from './generation.js';
import { make, unmake } from './making.js';
import { writeMove } from './notation/uci.js';

/** The number of legal lines of exactly `depth` plies. The last ply is counted without being made. @param {Position} p @param {number} depth @param {number} [base] @returns {number} */
export function perft(p, depth, base = 0) {
  if (depth <= 0) return 1;
  const end = generate(p, base);
  if (depth === 1) return end - base;
  let leaves = 0;
  for (let at = base; at < end; at++) {
    make(p, p.moves[at]);
    leaves += perft(p, depth - 1, end);
    unmake(p);
  }
  return leaves;
}

/** The perft of `depth` (at least 1) below each first move, by its UCI in the order of the alphabet. @param {Position} p @param {number} depth */
export function divide(p, depth) {
  const end = generate(p, 0);
  const counts = Array.from(p.moves.subarray(0, end), move => {
    const uci = writeMove(p, move);
    make(p, move);
    const leaves = perft(p, depth - 1, end);
    unmake(p);
    return /** @type {[string, number]} */ ([uci, leaves]);
  });
  return counts.sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Remembers what the search found of positions, however they were reached. Older entries give way to new ones.
 *
 * @import { Position } from '../rules/position.js'
 */
export const EXACT = 1;
export const AT_LEAST = 2;
export const AT_MOST = 3;

/** Scores beyond this are mates, counted in plies from the root. */
export const SURE = 29_000;

const STRIDE = 3;

export class Transpositions {
  /** @param {number} bits two to the power of `bits` entries, of 12 bytes each */
  constructor(bits) {
    this.mask = (1 << bits) - 1;
    this.data = new Int32Array(STRIDE << bits);
    this.move = 0;
    this.score = 0;
    this.depth = 0;
    this.bound = 0;
  }

  clear() {
    this.data.fill(0);
  }

  /** Is the position known? If so, move, score, depth and bound say what is known of it. @param {Position} p @param {number} ply from the root */
  find(p, ply) {
    const at = STRIDE * ((p.low ^ p.extra) & this.mask);
    const packed = this.data[at + 2];
    if (packed === 0 || this.data[at] !== p.high) return false;
    this.move = this.data[at + 1];
    this.bound = packed & 3;
    this.depth = (packed >> 2) & 127;
    const score = packed >> 16;
    this.score = score > SURE ? score - ply : score < -SURE ? score + ply : score;
    return true;
  }

  /** @param {Position} p @param {number} ply @param {number} depth @param {number} move @param {number} score @param {number} bound */
  keep(p, ply, depth, move, score, bound) {
    const at = STRIDE * ((p.low ^ p.extra) & this.mask);
    const fromHere = score > SURE ? score + ply : score < -SURE ? score - ply : score;
    if (this.data[at] === p.high && move === 0) move = this.data[at + 1];
    this.data[at] = p.high;
    this.data[at + 1] = move;
    this.data[at + 2] = (fromHere << 16) | (Math.max(0, Math.min(depth, 127)) << 2) | bound;
  }
}

/**
 * The order in which moves are tried: the better the first, the more of the rest can be left out.
 *
 * @import { Position } from '../rules/position.js'
 * @import { Values } from './values.js'
 */
import { checkSets, markCheckSquares } from '../rules/attacks.js';
import { CASTLE, DROP, kindOf, originOf, PROMOTION, targetOf, typeOf } from '../rules/moves.js';
import { BLACK } from '../rules/pieces.js';

const REMEMBERED = 1 << 30;
const TAKING = 1 << 24;
const KILLER = 1 << 22;
const CHECKING = 1 << 21;
const MOST_HISTORY = 1 << 19;
export const DEEPEST = 100;

export class Ordering {
  /** @param {Values} values */
  constructor(values) {
    this.values = values;
    this.scores = new Int32Array(1 << 17);
    this.killers = new Int32Array(2 * (DEEPEST + 2));
    /** By `drop << 16 | code << 8 | target`. */
    this.history = new Int32Array(1 << 17);
  }

  /** Before a new search: what was learnt counts less. */
  fade() {
    this.killers.fill(0);
    for (let at = 0; at < this.history.length; at++) this.history[at] >>= 2;
  }

  /** Scores the moves from `base` to `end`; the lowest bit of a score says whether the move gives check. @param {Position} p @param {number} base @param {number} end @param {number} first the remembered move @param {number} ply */
  rate(p, base, end, first, ply) {
    if (end > this.scores.length) this.scores = new Int32Array(p.moves.length);
    markCheckSquares(p);
    const { moves } = p;
    const one = this.killers[2 * ply];
    const other = this.killers[2 * ply + 1];
    for (let at = base; at < end; at++) {
      const move = moves[at];
      const check = givesCheck(p, move) ? 1 : 0;
      const killer = move === one || move === other ? KILLER : 0;
      const score = move === first ? REMEMBERED : killer + this.rating(p, move) + check * CHECKING;
      this.scores[at] = (score & ~1) | check;
    }
  }

  /** @param {Position} p @param {number} move */
  rating(p, move) {
    const { piece } = this.values;
    const type = typeOf(move);
    const target = targetOf(move);
    if (type === DROP) return this.history[historyAt(p, move)];
    const code = p.board[originOf(move)];
    const taken = type >= CASTLE ? 0 : p.board[target];
    let score = 0;
    if (taken) score = TAKING + 64 * piece[taken] - piece[code];
    if (type === PROMOTION) score += 64 * (piece[kindOf(move)] - piece[code]) + (taken ? 0 : KILLER);
    return score || this.history[historyAt(p, move)];
  }

  /** Brings the best of the moves from `at` on to `at`, and returns it. @param {Position} p @param {number} at @param {number} end */
  pick(p, at, end) {
    const { scores } = this;
    const { moves } = p;
    let best = at;
    for (let one = at + 1; one < end; one++) if (scores[one] > scores[best]) best = one;
    const move = moves[best];
    const score = scores[best];
    moves[best] = moves[at];
    scores[best] = scores[at];
    moves[at] = move;
    scores[at] = score;
    return move;
  }

  /** A quiet move was good enough to leave out the rest. @param {Position} p @param {number} move @param {number} ply @param {number} depth */
  reward(p, move, ply, depth) {
    if (this.killers[2 * ply] !== move) {
      this.killers[2 * ply + 1] = this.killers[2 * ply];
      this.killers[2 * ply] = move;
    }
    const at = historyAt(p, move);
    this.history[at] = Math.min(MOST_HISTORY, this.history[at] + depth * depth);
  }

  /** Quiet moves from `base` to `end` were tried before it, for nothing. @param {Position} p @param {number} base @param {number} end @param {number} depth */
  punish(p, base, end, depth) {
    for (let nth = base; nth < end; nth++) {
      const move = p.moves[nth];
      if (!isQuiet(p, move)) continue;
      const at = historyAt(p, move);
      this.history[at] = Math.max(-MOST_HISTORY, this.history[at] - depth * depth);
    }
  }
}

/** @param {Position} p @param {number} move */
function historyAt(p, move) {
  return typeOf(move) === DROP
    ? (1 << 16) | ((p.side * BLACK + kindOf(move)) << 8) | targetOf(move)
    : (p.board[originOf(move)] << 8) | targetOf(move);
}

/** Does the piece that arrives attack the king from where it arrives? Needs `checkSets`. @param {Position} p @param {number} move */
function givesCheck(p, move) {
  const type = typeOf(move);
  if (type >= CASTLE) return false;
  const set = checkSets[targetOf(move)];
  if (!set) return false;
  const arriving = type === DROP || type === PROMOTION ? p.side * BLACK + kindOf(move) : p.board[originOf(move)];
  return p.tables.attacks.sets[(set << 8) | arriving] === 1;
}

/** Is nothing taken and nothing promoted? @param {Position} p @param {number} move */
export function isQuiet(p, move) {
  const type = typeOf(move);
  if (type >= DROP) return true;
  return type !== PROMOTION && p.board[targetOf(move)] === 0;
}

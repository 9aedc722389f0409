/**
 * Finds the best move: alpha-beta with iterative deepening, a table of positions, null moves, late moves searched less
 * deep and quiet ones left out near the leaves. Scores are in hundredths of a pawn, for the side to move.
 *
 * It is a generator, so that whoever runs it is in control every few hundred nodes, and can hear what others say. Whoever
 * has begun it has to go on to its end: until then the position is not as it was.
 *
 * @import { Position } from '../rules/position.js'
 * @import { Tables } from '../rules/tables.js'
 */
import { isDead } from '../rules/endings.js';
import { generate, generateLoud } from '../rules/generation.js';
import { make, unmake } from '../rules/making.js';
import { DROP, NO_MOVE, originOf, PROMOTION, targetOf, typeOf } from '../rules/moves.js';
import { awaitsReply, variantEnd } from '../rules/variant_ends.js';
import { Evaluation } from './evaluation.js';
import { DEEPEST, isQuiet, Ordering } from './ordering.js';
import { AT_LEAST, AT_MOST, EXACT, SURE, Transpositions } from './transpositions.js';
import { isAttacked } from '../rules/attacks.js';

/** Being mated at the root; sooner is worse, by plies. */
export const MATE = 30_000;
const INFINITE = 32_000;
const UNDECIDED = -INFINITE;
/** Nodes between two looks at the clock. */
const TICK = 512;
const LOOK_BACK = 60;
/** Up to this depth a position so much better or worse than needed is not looked at move by move, for each ply of it. */
const SHALLOW = 3;
const EASE = 120;

export class Search {
  /** @param {Tables} tables @param {number} [bits] of the table: two to the power of them entries of 12 bytes */
  constructor(tables, bits = 19) {
    this.evaluation = new Evaluation(tables);
    this.ordering = new Ordering(this.evaluation.values);
    this.table = new Transpositions(bits);
    this.nodes = 0;
    this.stopped = false;
    this.deepest = 0;
    this.mostNodes = Infinity;
    /** @type {() => boolean} is it time to stop? Asked every few hundred nodes. */
    this.isOver = () => false;
    /** Is it time to let others speak? */
    this.due = false;
    /** The best move of the last iteration. */
    this.best = NO_MOVE;
    /** Moves that the next iteration leaves out, because they are known to be better. @type {number[]} */
    this.excluded = [];
  }

  /** Counts a node, and finds out whether to stop. */
  tick() {
    if (this.stopped) return true;
    const looks = this.nodes % TICK === 0;
    if (looks) this.due = true;
    if (this.nodes >= this.mostNodes || (looks && this.isOver())) this.stopped = true;
    else this.nodes++;
    return this.stopped;
  }

  /** Lets others speak; if they say so, no further node is looked at. @returns {Generator<void, void>} */
  *listen() {
    this.due = false;
    yield;
    if (this.isOver()) this.stopped = true;
  }

  /**
   * One iteration, of all moves but those `excluded`. If it was stopped before it knew a move, `best` stays as it was.
   * @param {Position} p with such moves @param {number} depth at least 1 @param {number} guess a score around which to look first
   * @returns {Generator<void, number>} the score; what it is worth if stopped, nobody knows
   */
  *iterate(p, depth, guess) {
    let below = depth > 3 ? 40 : 2 * INFINITE;
    let above = below;
    for (;;) {
      const alpha = Math.max(-INFINITE, guess - below);
      const beta = Math.min(INFINITE, guess + above);
      const score = yield* negamax(this, p, depth, alpha, beta, 0, 0, false);
      if (this.stopped || (score > alpha && score < beta)) return score;
      if (score <= alpha) below = below > 500 ? 2 * INFINITE : 4 * below;
      else above = above > 500 ? 2 * INFINITE : 4 * above;
    }
  }
}

/**
 * @param {Search} s @param {Position} p @param {number} depth @param {number} alpha @param {number} beta @param {number} ply from the root
 * @param {number} base where the moves of this node may be written @param {boolean} mayPass @returns {Generator<void, number>}
 */
function* negamax(s, p, depth, alpha, beta, ply, base, mayPass) {
  if (depth <= 0 || ply >= DEEPEST) return quiesce(s, p, alpha, beta, ply, base, 0);
  if (s.due) yield* s.listen();
  if (s.tick()) return 0;
  if (ply > s.deepest) s.deepest = ply;
  const over = ply ? decided(p, ply) : UNDECIDED;
  if (over !== UNDECIDED) return over;
  let remembered = NO_MOVE;
  if (s.table.find(p, ply)) {
    const { bound, score, move } = s.table;
    remembered = ply || !s.excluded.length ? move : s.best;
    const enough = bound === EXACT || (bound === AT_LEAST && score >= beta) || (bound === AT_MOST && score <= alpha);
    if (ply && s.table.depth >= depth && enough) return score;
  }
  const end = generate(p, base);
  if (end === base) return withoutMoves(p, ply);
  if (isDrawnByCount(p) && ply) return 0;
  const checked = p.checks > 0;
  const stand = checked ? UNDECIDED : s.evaluation.of(p);
  if (mayPass && stand >= beta && Math.abs(beta) < SURE && !isSettingUp(p)) {
    if (depth <= SHALLOW && beta - alpha === 1 && stand - EASE * depth >= beta) return beta;
    if (depth > 2 && p.pieceCount[p.side] > 3 && (yield* passes(s, p, depth, beta, ply, end, stand - beta)))
      return beta;
  }
  if (depth > 4 && !remembered && ply) depth--;
  s.ordering.rate(p, base, end, remembered, ply);
  return yield* tryMoves(s, p, depth, alpha, beta, ply, base, end, stand);
}

/** The score of a game that is over before any move is looked at, or UNDECIDED. @param {Position} p @param {number} ply */
export function decided(p, ply) {
  const end = p.tables.ends ? variantEnd(p) : null;
  if (end) return end.winner === null ? 0 : end.winner === p.side ? MATE - ply : ply - MATE;
  if (p.kings[p.side] < 0 && !p.held[p.side] && !p.tables.variant.rules.kingless[p.side]) return ply - MATE;
  const back = p.roles ? LOOK_BACK : p.halfmoves;
  return p.occurrences(Math.min(back, p.ply)) > 1 || isDead(p) ? 0 : UNDECIDED;
}

/** @param {Position} p @param {number} ply */
function withoutMoves(p, ply) {
  const { ends, endings } = p.tables;
  if (p.checks > 0 || endings.stalemateLoses || (ends && awaitsReply(p))) return ply - MATE;
  return endings.stalemateWins ? MATE - ply : 0;
}

/** @param {Position} p */
const isDrawnByCount = ({ halfmoves, tables: { endings } }) => endings.moveRule > 0 && halfmoves >= endings.moveRule;

/** Are armies still being put on the board, so that a position says little? @param {Position} p */
const isSettingUp = p => p.tables.setup && p.held[0] + p.held[1] > 0;

/** Is the position so good that even passing would be? @param {Search} s @param {Position} p @param {number} depth @param {number} beta @param {number} ply @param {number} end @param {number} margin @returns {Generator<void, boolean>} */
function* passes(s, p, depth, beta, ply, end, margin) {
  make(p, NO_MOVE);
  const plies = depth - 3 - (depth >> 2) - (margin > 200 ? 1 : 0);
  const score = -(yield* negamax(s, p, plies, -beta, 1 - beta, ply + 1, end, false));
  unmake(p);
  return score >= beta && !s.stopped;
}

/**
 * @param {Search} s @param {Position} p @param {number} depth @param {number} alpha @param {number} beta @param {number} ply
 * @param {number} base @param {number} end @param {number} stand what the position is worth as it stands; UNDECIDED in check @returns {Generator<void, number>}
 */
function* tryMoves(s, p, depth, alpha, beta, ply, base, end, stand) {
  const { ordering, table } = s;
  const checked = stand === UNDECIDED;
  const below = checked ? depth : depth - 1;
  const hopeless = !checked && depth <= SHALLOW && beta - alpha === 1 && stand + EASE * depth <= alpha;
  let best = -INFINITE;
  let bestMove = NO_MOVE;
  let low = alpha;
  let quiets = 0;
  for (let at = base; at < end; at++) {
    const move = ordering.pick(p, at, end);
    if (!ply && s.excluded.includes(move)) continue;
    const quiet = isQuiet(p, move);
    const checks = (ordering.scores[at] & 1) === 1;
    const tame = quiet && !checked && (!checks || (typeOf(move) === DROP && quiets >= 4 * depth + 4));
    if (tame && best > -SURE && ply && (hopeless || quiets >= mostQuiets(depth, move))) continue;
    if (quiet) quiets++;
    make(p, move);
    const reduction = tame && at - base > 2 && depth > 2 ? reductionOf(depth, at - base, move) : 0;
    const later = best > -INFINITE;
    const score =
      below > 0 && ply + 1 < DEEPEST
        ? yield* tryMove(s, p, below, low, beta, ply, end, later, reduction)
        : tryLeaf(s, p, low, beta, ply, end, later);
    unmake(p);
    if (s.stopped) return best;
    if (score > best) {
      best = score;
      if (score > low) bestMove = move;
    }
    if (score > low) low = score;
    if (!ply && bestMove === move) {
      s.best = move;
      if (!s.excluded.length) table.keep(p, 0, depth, move, score, score >= beta ? AT_LEAST : EXACT);
    }
    if (low >= beta) {
      if (quiet) {
        ordering.reward(p, move, ply, depth);
        ordering.punish(p, base, at, depth);
      }
      break;
    }
  }
  if (ply || !s.excluded.length)
    table.keep(p, ply, depth, bestMove, best, best >= beta ? AT_LEAST : bestMove ? EXACT : AT_MOST);
  return best;
}

/** The score of the move just made: the first in full, the others first with the question whether they are better at all.
 * @param {Search} s @param {Position} p @param {number} depth @param {number} low @param {number} beta @param {number} ply @param {number} base @param {boolean} later @param {number} reduction @returns {Generator<void, number>} */
function* tryMove(s, p, depth, low, beta, ply, base, later, reduction) {
  if (later) {
    let score = -(yield* negamax(s, p, depth - reduction, -low - 1, -low, ply + 1, base, true));
    if (score > low && reduction) score = -(yield* negamax(s, p, depth, -low - 1, -low, ply + 1, base, true));
    if (score <= low || score >= beta) return score;
  }
  return -(yield* negamax(s, p, depth, -beta, -low, ply + 1, base, true));
}

/** Likewise where no further move is searched. @param {Search} s @param {Position} p @param {number} low @param {number} beta @param {number} ply @param {number} base @param {boolean} later */
function tryLeaf(s, p, low, beta, ply, base, later) {
  if (later) {
    const score = -quiesce(s, p, -low - 1, -low, ply + 1, base, 0);
    if (score <= low || score >= beta) return score;
  }
  return -quiesce(s, p, -beta, -low, ply + 1, base, 0);
}

/** After how many quiet moves the rest is left out; drops sooner, there are so many. @param {number} depth @param {number} move */
function mostQuiets(depth, move) {
  if (typeOf(move) === DROP) return depth > 5 ? Infinity : 2 + 2 * depth * depth;
  return depth > 3 ? Infinity : 6 + 3 * depth * depth;
}

/** How many plies less a late quiet move is searched. @param {number} depth @param {number} nth @param {number} move */
function reductionOf(depth, nth, move) {
  const plies = Math.floor(0.6 + (Math.log(depth) * Math.log(nth)) / 2.1) + (typeOf(move) === DROP && nth > 10 ? 1 : 0);
  return Math.max(0, Math.min(plies, depth - 2));
}

// Plays captures and promotions out until the position is quiet, so that it can be judged.

const MATED = -30_000;
/** What a capture may bring beyond the piece it takes. */
const MARGIN = 150;
/** By how much pieces may differ that are worth the same. */
const ALIKE = 30;
/** Plies in which every answer to a check is looked at. */
const CHECKS = 3;
/** Quiet answers to a check, once one is known that does not lose at once: with full pockets there are very many. */
const MOST_QUIET = 3;

/**
 * @param {Search} s @param {Position} p @param {number} alpha @param {number} beta @param {number} ply @param {number} base
 * @param {number} deep plies since quiescence began @returns {number}
 */
function quiesce(s, p, alpha, beta, ply, base, deep) {
  if (s.tick()) return 0;
  if (p.kings[p.side] < 0 && !p.held[p.side] && !p.tables.variant.rules.kingless[p.side]) return ply + MATED;
  const over = p.tables.ends ? variantEnd(p) : null;
  if (over) return over.winner === null ? 0 : over.winner === p.side ? -MATED - ply : ply + MATED;
  const end = generateLoud(p, base);
  if (p.checks && deep < CHECKS && ply < DEEPEST) return answerChecks(s, p, alpha, beta, ply, base, deep);
  const stand = s.evaluation.of(p);
  if (stand >= beta || ply >= DEEPEST) return stand;
  let best = stand;
  s.ordering.rate(p, base, end, NO_MOVE, Math.min(ply, DEEPEST));
  for (let at = base; at < end; at++) {
    const move = s.ordering.pick(p, at, end);
    const low = Math.max(alpha, best);
    if (typeOf(move) !== PROMOTION && (stand + gain(s, p, move) + MARGIN <= low || givesMore(s, p, move))) continue;
    make(p, move);
    const score = -quiesce(s, p, -beta, -low, ply + 1, end, deep + 1);
    unmake(p);
    if (s.stopped) return best;
    if (score > best) best = score;
    if (best >= beta) break;
  }
  return best;
}

/** Is the captor worth more than what it takes, and can be taken back? @param {Search} s @param {Position} p @param {number} move */
function givesMore(s, p, move) {
  const { piece } = s.evaluation.values;
  const target = targetOf(move);
  const taken = p.board[target];
  if (!taken || piece[p.board[originOf(move)]] <= piece[taken] + ALIKE) return false;
  return isAttacked(p, target, 1 - p.side, originOf(move));
}

/** What a capture takes; twice that where it then stands in the captor's pocket. @param {Search} s @param {Position} p @param {number} move */
function gain(s, p, move) {
  const code = p.board[targetOf(move)];
  const { piece, held } = s.evaluation.values;
  const place = p.tables.codes.toPocket[code];
  return piece[code] + (place >= 0 ? held[place] : 0);
}

/** @param {Search} s @param {Position} p @param {number} alpha @param {number} beta @param {number} ply @param {number} base @param {number} deep @returns {number} */
function answerChecks(s, p, alpha, beta, ply, base, deep) {
  const end = generate(p, base);
  let best = ply + MATED;
  let quiets = 0;
  s.ordering.rate(p, base, end, NO_MOVE, ply);
  for (let at = base; at < end; at++) {
    const move = s.ordering.pick(p, at, end);
    if (isQuiet(p, move) && best > -SURE && quiets++ >= MOST_QUIET) continue;
    make(p, move);
    const score = -quiesce(s, p, -beta, -Math.max(alpha, best), ply + 1, end, deep + 1);
    unmake(p);
    if (s.stopped) return best;
    if (score > best) best = score;
    if (best >= beta) break;
  }
  return best;
}

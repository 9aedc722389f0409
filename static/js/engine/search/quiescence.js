/**
 * Plays captures and promotions out until the position is quiet, so that it can be judged.
 *
 * @import { Position } from '../rules/position.js'
 * @import { Search } from './search.js'
 */
import { isAttacked } from '../rules/attacks.js';
import { generate, generateLoud } from '../rules/generation.js';
import { make, unmake } from '../rules/making.js';
import { NO_MOVE, originOf, PROMOTION, targetOf, typeOf } from '../rules/moves.js';
import { variantEnd } from '../rules/variant_ends.js';
import { DEEPEST, isQuiet } from './ordering.js';
import { SURE } from './transpositions.js';

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
export function quiesce(s, p, alpha, beta, ply, base, deep) {
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

/**
 * Thinks about a position within limits, and tells what it found after each depth.
 *
 * @import { Position } from './rules/position.js'
 * @import { Tables } from './rules/tables.js'
 *
 * @typedef {object} Limits   whichever comes first; without any it thinks until it is stopped
 * @property {number} [depth]   plies
 * @property {number} [nodes]
 * @property {number} [time]   ms
 * @property {number} [level]   1 to 8: how strong it plays; the limits hold besides
 *
 * @typedef {object} Thought
 * @property {number} depth   plies
 * @property {number} deepest   plies that one line was followed
 * @property {number} score   in hundredths of a pawn, for the side to move
 * @property {number | null} mate   in how many moves it mates, negative if it is mated
 * @property {number} nodes
 * @property {number} time   ms
 * @property {string[]} line   in UCI, the best move first
 */
import { levelOf } from './levels.js';
import { generate } from './rules/generation.js';
import { make, unmake } from './rules/making.js';
import { NO_MOVE } from './rules/moves.js';
import { writeMove } from './rules/notation/uci.js';
import { DEEPEST } from './search/ordering.js';
import { MATE, Search } from './search/search.js';
import { SURE } from './search/transpositions.js';

/** Of the time, after which no further depth is begun: it would hardly be finished. */
const ENOUGH = 0.6;

export class Thinker {
  /** @param {Tables} tables @param {() => number} now ms */
  constructor(tables, now) {
    this.tables = tables;
    this.search = new Search(tables);
    this.now = now;
  }

  /** Forgets what it knew of the game before. */
  forget() {
    this.search.table.clear();
    this.search.ordering.history.fill(0);
  }

  /**
   * One thought after another, each a ply deeper; the last one stands. The position is as before whenever it yields.
   * @param {Position} p @param {Limits} limits @param {() => boolean} isStopped asked often
   * @returns {Generator<Thought, void, void>} nothing, if there is no legal move
   */
  *think(p, { depth = DEEPEST, nodes = Infinity, time = Infinity, level = 0 }, isStopped) {
    const { search } = this;
    const began = this.now();
    const end = generate(p, 0);
    if (end === 0) return;
    let best = p.moves[0];
    let score = 0;
    search.nodes = search.deepest = 0;
    search.stopped = false;
    search.mostNodes = Math.min(nodes, this.playAt(level));
    search.isOver = () => isStopped() || this.now() - began >= time;
    search.ordering.fade();
    for (let plies = 1; plies <= Math.min(depth, DEEPEST); plies++) {
      score = search.iterate(p, plies, score);
      const line = this.line(p, best);
      best = line.first;
      const spent = this.now() - began;
      if (search.stopped && plies > 1) score = this.known(p, score);
      yield {
        depth: plies,
        deepest: search.deepest,
        score,
        mate: mateIn(score),
        nodes: search.nodes,
        time: spent,
        line: line.ucis,
      };
      if (search.stopped || spent >= ENOUGH * time || Math.abs(score) >= MATE - plies) return;
    }
  }

  /** Judges as on that level, 0 as well as it can; how many nodes that level looks at. @param {number} level */
  playAt(level) {
    const { nodes, error } = level ? levelOf(level) : { nodes: Infinity, error: 0 };
    const { evaluation, table } = this.search;
    // What was judged in another way is forgotten.
    if (evaluation.error !== error) table.clear();
    evaluation.error = error;
    return nodes;
  }

  /** The score that the table has of the root. @param {Position} p @param {number} otherwise */
  known(p, otherwise) {
    return this.search.table.find(p, 0) ? this.search.table.score : otherwise;
  }

  /** The best line, as far as the table remembers it. @param {Position} p @param {number} first a legal move */
  line(p, first) {
    const { table } = this.search;
    const ucis = [];
    let best = first;
    for (let made = 0; made < 24; made++) {
      const known = table.find(p, 0) ? table.move : NO_MOVE;
      const move = isLegal(p, known) ? known : made ? NO_MOVE : first;
      if (move === NO_MOVE || (made && p.occurrences() > 1)) break;
      if (!made) best = move;
      ucis.push(writeMove(p, move));
      make(p, move);
    }
    for (let made = ucis.length; made > 0; made--) unmake(p);
    return { first: best, ucis };
  }
}

/** @param {Position} p @param {number} move */
function isLegal(p, move) {
  if (move === NO_MOVE) return false;
  const end = generate(p, 0);
  for (let at = 0; at < end; at++) if (p.moves[at] === move) return true;
  return false;
}

/** @param {number} score */
function mateIn(score) {
  if (Math.abs(score) < SURE) return null;
  const plies = MATE - Math.abs(score);
  return score > 0 ? Math.ceil(plies / 2) : -Math.ceil(plies / 2);
}

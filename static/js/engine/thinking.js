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
 * @property {number} [seed]   a whole number: a level misjudges with each seed in another way, so that its games differ
 * @property {number} [mate]   until it mates in so many moves, or has looked for that in vain
 * @property {string[]} [moves]   the only ones to think about, in UCI; all, if not said or if none of them is legal
 * @property {number} [lines]   how many of the best moves to tell of, each with its line; 1 if not said
 *
 * @typedef {object} Thought
 * @property {number} depth   plies
 * @property {number} deepest   plies that one line was followed
 * @property {number} rank   1 for the best line, 2 for the best that begins in another way
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
import { parseMove, writeMove } from './rules/notation/uci.js';
import { DEEPEST } from './search/ordering.js';
import { MATE, Search } from './search/search.js';
import { SURE } from './search/transpositions.js';

/** Of the time, after which no further depth is begun: it would hardly be finished. */
const ENOUGH = 0.6;
/** Plies that a search for a mate looks deeper than the mate is, as it does not look at every move. */
const SPARE = 1;
/** Plies of a line that are told. */
const LONGEST = 24;

/** @typedef {{move: number, score: number}} Found */

export class Thinker {
  /** @param {Tables} tables @param {() => number} now ms */
  constructor(tables, now) {
    this.tables = tables;
    this.search = new Search(tables);
    this.now = now;
    /** The legal moves that are not to be thought about. @type {number[]} */
    this.barred = [];
  }

  /** Forgets what it knew of the game before. */
  forget() {
    this.search.table.clear();
    this.search.ordering.history.fill(0);
  }

  /**
   * One thought after another, each a ply deeper, and of each depth one for each line, the best first; the last ones stand.
   * The position is as before whenever it yields. Other parameters and what it returns: as `thinkInSlices`.
   * @param {Position} p @param {Limits} limits @param {() => boolean} isStopped
   * @returns {Generator<Thought, void, void>}
   */
  *think(p, limits, isStopped) {
    for (const thought of this.thinkInSlices(p, limits, isStopped)) if (thought) yield thought;
  }

  /**
   * As `think`, and null every few hundred nodes, when the position is any: whoever takes a thought has to take the rest.
   * @param {Position} p @param {Limits} limits @param {() => boolean} isStopped asked often; then it ends soon
   * @returns {Generator<Thought | null, void, void>} nothing, if there is no legal move
   */
  *thinkInSlices(p, limits, isStopped) {
    const { search } = this;
    const { mate = DEEPEST, nodes = Infinity, time = Infinity, level = 0, seed = 0 } = limits;
    const depth = Math.min(limits.depth ?? DEEPEST, 2 * mate + SPARE, DEEPEST);
    const began = this.now();
    const { chosen, others } = choice(p, limits.moves ?? []);
    if (chosen.length === 0) return;
    const rank = Math.max(1, Math.min(limits.lines ?? 1, chosen.length));
    /** @type {Found[]} */
    let found = Array.from({ length: rank }, () => ({ move: chosen[0], score: 0 }));
    this.barred = others;
    search.nodes = search.deepest = 0;
    search.stopped = false;
    search.mostNodes = Math.min(nodes, this.playAt(level, seed));
    search.isOver = () => isStopped() || this.now() - began >= time;
    search.ordering.fade();
    for (let plies = 1; plies <= depth; plies++) {
      found = yield* this.deepen(p, plies, found);
      const spent = this.now() - began;
      const { nodes, deepest } = search;
      for (const [nth, { move, score }] of found.entries())
        yield {
          depth: plies,
          deepest,
          rank: nth + 1,
          score,
          mate: mateIn(score),
          nodes,
          time: spent,
          line: this.line(p, move),
        };
      const decided = found.every(({ score }) => Math.abs(score) >= MATE - plies);
      const mated = mateIn(found[0].score);
      const isFound = limits.mate !== undefined && mated !== null && mated > 0 && mated <= limits.mate;
      if (search.stopped || spent >= ENOUGH * time || decided || isFound) return;
    }
  }

  /**
   * Looks a ply deeper for each of the best moves; what was not looked at any more stays as it was.
   * @param {Position} p @param {number} plies @param {Found[]} before @returns {Generator<null, Found[]>} the best first
   */
  *deepen(p, plies, before) {
    const { search } = this;
    /** @type {Found[]} */
    const found = [];
    search.excluded = [...this.barred];
    for (const { move, score: guess } of before) {
      search.best = move;
      let score = yield* inSlices(search.iterate(p, plies, guess));
      if (search.stopped && found.length) break;
      if (search.stopped && plies > 1 && !this.barred.length) score = this.known(p, score);
      // No move was judged any more.
      if (search.stopped && Math.abs(score) > MATE) score = guess;
      found.push({ move: search.best, score });
      search.excluded.push(search.best);
    }
    search.excluded = [];
    const moves = found.map(({ move }) => move);
    const others = before.filter(({ move }) => !moves.includes(move));
    found.sort((one, other) => other.score - one.score);
    return [...found, ...others].slice(0, before.length);
  }

  /** Judges as on that level, 0 as well as it can; how many nodes that level looks at. @param {number} level @param {number} seed */
  playAt(level, seed) {
    const { nodes, error } = level ? levelOf(level) : { nodes: Infinity, error: 0 };
    const { evaluation, table } = this.search;
    // What was judged in another way is forgotten.
    if (evaluation.error !== error || (error && evaluation.seed !== seed)) table.clear();
    evaluation.error = error;
    evaluation.seed = seed;
    return nodes;
  }

  /** The score that the table has of the root. @param {Position} p @param {number} otherwise */
  known(p, otherwise) {
    return this.search.table.find(p, 0) ? this.search.table.score : otherwise;
  }

  /** The line from a move on, as far as the table remembers it, in UCI. @param {Position} p @param {number} first a legal move */
  line(p, first) {
    const { table } = this.search;
    const ucis = [];
    let move = first;
    while (ucis.length < LONGEST && isLegal(p, move) && !(ucis.length && p.occurrences() > 1)) {
      ucis.push(writeMove(p, move));
      make(p, move);
      move = table.find(p, 0) ? table.move : NO_MOVE;
    }
    for (let made = ucis.length; made > 0; made--) unmake(p);
    return ucis;
  }
}

/** Goes on with a search; whenever it lets others speak, so does this. @template T @param {Generator<void, T>} search @returns {Generator<null, T>} */
function* inSlices(search) {
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
    yield null;
  }
}

/** The legal moves among those in UCI, or all if none of them is legal, and the others. @param {Position} p @param {string[]} wanted */
function choice(p, wanted) {
  const end = generate(p, 0);
  const legal = Array.from(p.moves.subarray(0, end));
  const moves = wanted.map(uci => parseMove(p, uci)).filter(move => move !== NO_MOVE);
  const chosen = moves.length ? legal.filter(move => moves.includes(move)) : legal;
  return { chosen, others: legal.filter(move => !chosen.includes(move)) };
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

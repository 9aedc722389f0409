/**
 * Has an engine look at each position of a game, the last one first, so that it knows what comes. Each gets the same number
 * of nodes and nothing depends on time, so everybody's report of a game by the same engine is the same.
 *
 * @import { Heard } from '../explain/engine_worker.js'
 * @import { Score } from '../explain/scores.js'
 * @import { Limits, Thought } from '../engine/thinking.js'
 * @import { Judged } from './judgement.js'
 * @typedef {{start: string, chess960: boolean, moves: string[], result: string}} Played   start: a FEN; moves: UCI; result: "1-0"
 * @typedef {Pick<import('../explain/engine_worker.js').EngineWorker, 'think' | 'forget' | 'end'>} Engine
 */
import { scoreOf } from '../explain/scores.js';
import { turnOf } from '../game/model.js';
import { leadOf } from './judgement.js';

/** What is seen at first: by who looks at each move and the answers to it. */
const GLANCE = { depth: 2 };

export class ReportMaker {
  #engine;
  #nodes;
  /** The last thoughts about the best line and the next one. @type {Thought[]} */
  #thoughts = [];
  /** @type {{resolve: (thoughts: Thought[]) => void, reject: (error: Error) => void} | null} */
  #waiting = null;
  #ended = false;

  /** @param {(heard: Heard) => Engine} open begins an engine @param {number} nodes that it looks at in each position */
  constructor(open, nodes) {
    this.#nodes = nodes;
    const fail = () => this.#waiting?.reject(new Error('the engine has ended'));
    this.#engine = open({
      thought: thought => (this.#thoughts[thought.rank - 1] = thought),
      done: best => this.#waiting?.resolve(best === null ? [] : this.#thoughts),
      refused: fail,
      failed: fail,
    });
  }

  /**
   * @param {Played} game @param {(done: number, all: number) => void} told positions
   * @returns {Promise<Judged[]>} one more than moves @throws {Error} if the engine cannot go on, or was ended
   */
  async make(game, told) {
    const { moves } = game;
    this.#engine.forget();
    /** In UCI, what seems best in each position before anything is known of what comes. @type {(string | undefined)[]} */
    const seen = [];
    for (let ply = 0; ply < moves.length; ply++)
      seen.push((await this.#think(game, moves.slice(0, ply), GLANCE))[0]?.line[0]);
    this.#engine.forget();
    /** @type {Judged[]} */
    const found = [];
    for (let ply = moves.length; ply >= 0; ply--) {
      const before = moves.slice(0, ply);
      const judged = await this.judge(game, before);
      const isHard = moves[ply] !== undefined && moves[ply] === judged.line[0] && moves[ply] !== seen[ply];
      found.unshift(isHard ? { ...judged, lead: await this.#lead(game, before) } : judged);
      told(found.length, moves.length + 1);
    }
    return found;
  }

  /** By how much of the chances the best move is better than the next one. @param {Played} game @param {string[]} moves */
  async #lead(game, moves) {
    const [best, next] = await this.#think(game, moves, { nodes: this.#nodes, lines: 2 });
    return best && next ? leadOf(scoreOf(best, 'white'), scoreOf(next, 'white')) : 0;
  }

  /** One position of a game. @param {Played} game @param {string[]} moves from its start @returns {Promise<Judged>} */
  async judge(game, moves) {
    const [best] = await this.#think(game, moves, { nodes: this.#nodes });
    if (!best) return { score: finalScore(game.result), line: [] };
    const mover = (turnOf(game.start) === 'white') === (moves.length % 2 === 0) ? 'white' : 'black';
    return { score: scoreOf(best, mover), line: best.line };
  }

  /** @param {Played} game @param {string[]} moves @param {Limits} limits @returns {Promise<Thought[]>} the best first; none: the game is over */
  #think({ start, chess960 }, moves, limits) {
    if (this.#ended) return Promise.reject(new Error('the engine was ended'));
    this.#thoughts = [];
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#engine.think({ fen: start, moves, chess960, limits });
    });
  }

  end() {
    this.#ended = true;
    this.#engine.end();
    this.#waiting?.reject(new Error('the engine was ended'));
  }
}

/** @param {string} result @returns {Score} */
function finalScore(result) {
  if (result === '1-0') return { points: 30_000, mate: 0 };
  if (result === '0-1') return { points: -30_000, mate: 0 };
  return { points: 0, mate: null };
}

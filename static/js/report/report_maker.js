/**
 * Has the engine look at each position of a game, the last one first, so that it knows what comes. Each gets the same number
 * of nodes and nothing depends on time, so everybody's report of a game is the same.
 *
 * @import { Score } from '../explain/scores.js'
 * @import { VariantRules } from '../engine/rules/variant_rules.js'
 * @import { Thought } from '../engine/thinking.js'
 * @import { Judged } from './judgement.js'
 * @typedef {{start: string, chess960: boolean, moves: string[], result: string}} Played   start: a FEN; moves: UCI; result: "1-0"
 */
import { EngineWorker } from '../explain/engine_worker.js';
import { scoreOf } from '../explain/scores.js';
import { turnOf } from '../game/model.js';

/** A third of a second on a usual machine. */
const NODES = 40_000;

export class ReportMaker {
  #worker;
  /** @type {Thought | null} */
  #last = null;
  /** @type {{resolve: (thought: Thought | null) => void, reject: (error: Error) => void} | null} */
  #waiting = null;
  #ended = false;

  /** @param {string} script of the worker @param {VariantRules} rules */
  constructor(script, rules) {
    const fail = () => this.#waiting?.reject(new Error('the engine has ended'));
    this.#worker = new EngineWorker(script, rules, {
      thought: thought => (this.#last = thought),
      done: best => this.#waiting?.resolve(best === null ? null : this.#last),
      refused: fail,
      failed: fail,
    });
  }

  /**
   * @param {Played} game @param {(done: number, all: number) => void} told positions
   * @returns {Promise<Judged[]>} one more than moves @throws {Error} if the engine cannot go on, or was ended
   */
  async make(game, told) {
    this.#worker.forget();
    /** @type {Judged[]} */
    const found = [];
    for (let ply = game.moves.length; ply >= 0; ply--) {
      found.unshift(await this.judge(game, game.moves.slice(0, ply)));
      told(found.length, game.moves.length + 1);
    }
    return found;
  }

  /** One position of a game. @param {Played} game @param {string[]} moves from its start @returns {Promise<Judged>} */
  async judge({ start, chess960, result }, moves) {
    if (this.#ended) throw new Error('the engine was ended');
    this.#last = null;
    const thought = await new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.think({ fen: start, moves, chess960, limits: { nodes: NODES } });
    });
    const first = turnOf(start);
    const mover = (first === 'white') === (moves.length % 2 === 0) ? 'white' : 'black';
    if (!thought) return { score: finalScore(result), line: [] };
    return { score: scoreOf(thought, mover), line: thought.line };
  }

  end() {
    this.#ended = true;
    this.#worker.end();
    this.#waiting?.reject(new Error('the engine was ended'));
  }
}

/** @param {string} result @returns {Score} */
function finalScore(result) {
  if (result === '1-0') return { points: 30_000, mate: 0 };
  if (result === '0-1') return { points: -30_000, mate: 0 };
  return { points: 0, mate: null };
}

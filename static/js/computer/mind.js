/**
 * Somebody who thinks about one position after the other, and always answers: an engine that dies, or is silent for too
 * long, is begun anew, once for each question; after that the question fails. Knows no page and no game.
 *
 * @import { Limits, Thought } from '../engine/thinking.js'
 * @import { EngineWorker, Heard } from '../explain/engine_worker.js'
 *
 * @typedef {{fen: string, moves: string[], chess960: boolean}} Place   where the game began, and its moves in UCI
 * @typedef {Pick<EngineWorker, 'think' | 'end'>} Engine
 */

/** ms of silence after which the engine is thought to be dead. */
const PATIENCE = 15_000;
/** ms after which a thought is good enough, on however slow a machine: less than the patience. */
const LONGEST = 8_000;

/** The engine has failed twice at the same question. */
export class Stuck extends Error {}

/** Nobody waits for the answer any more. */
export class Dropped extends Error {}

/** While nothing is asked. @type {Heard} */
const NOBODY_HEARS = { thought() {}, done() {}, refused() {}, failed() {} };

export class Mind {
  #start;
  /** @type {Engine | null} */
  #engine = null;
  /** What was asked before, answered or not. @type {Promise<unknown>} */
  #before = Promise.resolve();
  #drops = 0;
  /** Who hears what the engine says, which is about the question of now. */
  #heard = NOBODY_HEARS;
  /** Ends that question without an answer. */
  #fail = (/** @type {Error} */ _why) => {};

  /** @param {(heard: Heard) => Engine} start */
  constructor(start) {
    this.#start = start;
  }

  /**
   * Its last thought, once it has answered all that it was asked before; the best move is the first of the line.
   * @param {Place} place in which there is a legal move @param {Limits} limits
   * @returns {Promise<Thought>} @throws {Stuck} @throws {Dropped}
   */
  think(place, limits) {
    const drops = this.#drops;
    const thought = this.#before.then(async () => {
      if (drops !== this.#drops) throw new Dropped();
      return this.#twice(place, limits);
    });
    this.#before = thought.catch(() => {});
    return thought;
  }

  /** Nobody waits for the answers to what was asked so far. */
  drop() {
    this.#drops++;
    this.#fail(new Dropped());
  }

  /** @param {Place} place @param {Limits} limits */
  async #twice(place, limits) {
    try {
      return await this.#ask(place, limits);
    } catch (error) {
      // What it may still say about this question must not be taken for the answer to another.
      this.#end();
      if (error instanceof Dropped) throw error;
    }
    try {
      return await this.#ask(place, limits);
    } catch (error) {
      this.#end();
      throw error instanceof Dropped ? error : new Stuck('engine', { cause: error });
    }
  }

  #end() {
    this.#engine?.end();
    this.#engine = null;
  }

  /** @param {Place} place @param {Limits} limits @returns {Promise<Thought>} */
  async #ask(place, limits) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let silence;
    try {
      return await new Promise((resolve, reject) => {
        const wait = () => {
          clearTimeout(silence);
          silence = setTimeout(() => reject(new Error('silent')), PATIENCE);
        };
        /** @type {Thought | null} */
        let last = null;
        this.#fail = reject;
        this.#heard = {
          thought: thought => {
            wait();
            if (thought.rank === 1) last = thought;
          },
          done: () => (last ? resolve(last) : reject(new Error('moveless'))),
          refused: reason => reject(new Error(reason)),
          failed: () => reject(new Error('dead')),
        };
        wait();
        this.#running().think({ ...place, limits: { time: LONGEST, ...limits } });
      });
    } finally {
      clearTimeout(silence);
      this.#heard = NOBODY_HEARS;
      this.#fail = () => {};
    }
  }

  /** @returns {Engine} */
  #running() {
    this.#engine ??= this.#start({
      thought: thought => this.#heard.thought(thought),
      done: best => this.#heard.done(best),
      refused: reason => this.#heard.refused(reason),
      failed: () => this.#heard.failed(),
    });
    return this.#engine;
  }
}

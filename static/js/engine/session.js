/**
 * The engine behind messages: one position, and one thing to do at a time. It runs where nothing else has to, in a
 * worker; whatever is between it and a page, or a program that speaks UCI, only passes on messages.
 *
 * @import { VariantRules } from './rules/variant_rules.js'
 * @import { Position } from './rules/position.js'
 * @import { Limits, Thought } from './thinking.js'
 * @typedef {{do: 'variant', variant: VariantRules}
 *   | {do: 'position', fen?: string, moves: string[], chess960: boolean}
 *   | {do: 'go', limits: Limits & {infinite?: boolean, threat?: boolean}}
 *   | {do: 'prove', fen: string, chess960: boolean}
 *   | {do: 'perft', depth: number}
 *   | {do: 'show'} | {do: 'forget'} | {do: 'stop'} | {do: 'ping'}} Task   `infinite`: answers only when told to stop; `threat`: what
 *   the other side would do if it were to move
 * @typedef {{said: 'thought', thought: Thought}
 *   | {said: 'best', move: string | null}
 *   | {said: 'proof', fen: string, proof: Proved | null}
 *   | {said: 'leaves', counts: [string, number][]}
 *   | {said: 'position', fen: string}
 *   | {said: 'refused', to: Task['do'], reason: string}
 *   | {said: 'pong'}} Answer   `best` has no move if the game is over, or there is no position
 * @typedef {object} Proved   how that position ends, if it is one of those that are proved
 * @property {'white' | 'black' | null} winner   null: it is drawn with the best play
 * @property {number} plies   until it is won
 * @property {{winner: 'white' | 'black' | null, plies: number, line: string[]}[]} moves   all that are legal, the best first: what is to be
 *   had by each, and in UCI the best play that begins with it
 */
import { parseFen, writeFen } from './rules/notation/fen.js';
import { generate } from './rules/generation.js';
import { make, unmake } from './rules/making.js';
import { NO_MOVE } from './rules/moves.js';
import { compile } from './rules/tables.js';
import { parseMove, writeMove } from './rules/notation/uci.js';
import { Solver } from './search/solver.js';
import { Thinker } from './thinking.js';

/** Half-moves of a proof that are told. */
const PROVED = 10;
/** ms for which it may think without hearing what it is told. */
const DEAF = 8;

/** @param {number | null} side @returns {'white' | 'black' | null} */
const nameOf = side => (side === null ? null : side ? 'black' : 'white');

export class Session {
  /** @param {(answer: Answer) => void} say @param {() => number} now ms @param {() => Promise<unknown>} pause lets it be told what has come */
  constructor(say, now, pause) {
    this.say = say;
    this.now = now;
    this.pause = pause;
    /** How often it was told to think, and up to which of these times to stop. */
    this.asked = 0;
    this.stopped = 0;
    /** @type {Thinker | null} */
    this.thinker = null;
    /** @type {Solver | null} */
    this.solver = null;
    /** @type {Position | null} */
    this.position = null;
    /** What has been done, or is being done. */
    this.before = Promise.resolve();
    this.release = () => {};
  }

  /** Does what it is told, after all that it was told before; but it stops at once. @param {Task} task */
  take(task) {
    if (task.do === 'stop') {
      this.stopped = this.asked;
      this.release();
      return;
    }
    if (task.do === 'go') this.asked++;
    const nth = this.asked;
    this.before = this.before
      .then(() => this.carryOut(task, nth))
      .catch(error => {
        this.say({ said: 'refused', to: task.do, reason: error instanceof Error ? error.message : String(error) });
      });
  }

  /** @param {Task} task @param {number} nth time that it is told to think @returns {Promise<void> | void} */
  carryOut(task, nth) {
    switch (task.do) {
      case 'variant':
        this.thinker = new Thinker(compile(task.variant), this.now);
        this.solver = new Solver(this.thinker.tables);
        this.position = null;
        return;
      case 'position':
        this.setPosition(task.fen, task.moves, task.chess960);
        return;
      case 'go':
        return this.go(task.limits, () => nth <= this.stopped);
      case 'prove':
        this.say({ said: 'proof', fen: task.fen, proof: this.prove(task.fen, task.chess960) });
        return;
      case 'perft':
        this.say({ said: 'leaves', counts: divide(this.placed(), Math.max(1, task.depth)) });
        return;
      case 'show':
        this.say({ said: 'position', fen: writeFen(this.placed()) });
        return;
      case 'forget':
        this.thinker?.forget();
        return;
      case 'ping':
        this.say({ said: 'pong' });
    }
  }

  /** @param {string | undefined} fen @param {string[]} moves @param {boolean} chess960 */
  setPosition(fen, moves, chess960) {
    this.position = null;
    if (!this.thinker) throw new Error('there is no variant yet');
    const { tables } = this.thinker;
    const position = parseFen(tables, fen ?? tables.variant.startFen, chess960);
    for (const uci of moves) {
      const move = parseMove(position, uci);
      if (move === NO_MOVE) throw new Error(`${uci} is not legal in ${writeFen(position)}`);
      make(position, move);
    }
    this.position = position;
  }

  /** @param {string} fen @param {boolean} chess960 @returns {Proved | null} */
  prove(fen, chess960) {
    if (!this.solver) throw new Error('there is no variant yet');
    const { solver } = this;
    const position = parseFen(solver.tables, fen, chess960);
    const proof = solver.prove(position);
    if (!proof) return null;
    const moves = proof.moves.map(({ move, winner, plies }) => {
      /** @type {string[]} */
      const line = [];
      solver.follow(position, move, PROVED, next => line.push(writeMove(position, next)));
      return { winner: nameOf(winner), plies, line };
    });
    return { winner: nameOf(proof.winner), plies: proof.plies, moves };
  }

  /** Throws without one. @returns {Position} */
  placed() {
    if (!this.position) throw new Error('there is no position yet');
    return this.position;
  }

  /** @param {Limits & {infinite?: boolean, threat?: boolean}} limits @param {() => boolean} isStopped */
  async go(limits, isStopped) {
    const { position, thinker } = this;
    /** @type {Thought | null} */
    let best = null;
    if (position && thinker && generate(position, 0) > 0) {
      if (limits.threat && position.checks) throw new Error('a side in check is threatened with nothing but that');
      if (limits.threat) make(position, NO_MOVE);
      best = await this.think(thinker, position, limits, isStopped);
      if (limits.threat) unmake(position);
    }
    if (limits.infinite && !isStopped()) await new Promise(resolve => (this.release = () => resolve(undefined)));
    this.say({ said: 'best', move: best?.line[0] ?? null });
  }

  /** Says each thought; the last one of the best line is returned. @param {Thinker} thinker @param {Position} position @param {Limits} limits @param {() => boolean} isStopped */
  async think(thinker, position, limits, isStopped) {
    /** @type {Thought | null} */
    let best = null;
    let heard = this.now();
    for (const thought of thinker.thinkInSlices(position, limits, isStopped)) {
      if (thought) this.say({ said: 'thought', thought });
      if (thought?.rank === 1) best = thought;
      if (!thought && this.now() - heard < DEAF) continue;
      await this.pause();
      heard = this.now();
      if (thought && isStopped()) break;
    }
    return best;
  }
}

// Counts the leaves of the legal move tree, the usual test of a move generator.

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
function divide(p, depth) {
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

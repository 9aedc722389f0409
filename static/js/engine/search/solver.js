/**
 * Proves how an ending of three pieces goes, as a tablebase does: finds all positions of its material, and reckons back from
 * those in which the game is over. Who wins, in how many half-moves against the best defence, or that neither side can force
 * a win, is certain then. What was played before, which may make a draw by repetition, is not asked.
 *
 * Positions have numbers, so that what is known of them is in plain arrays: the side to move, then the square of each piece,
 * digit by digit. A capture or promotion leads into other material, which is solved first.
 *
 * @import { Position } from '../rules/position.js'
 * @import { Tables } from '../rules/tables.js'
 * @import { Reach } from '../rules/movement.js'
 * @typedef {object} Worth
 * @property {number | null} winner   0 White, 1 Black, null: a draw
 * @property {number} plies   until it has won; 0 for a draw
 * @typedef {Worth & {move: number}} Judged   what is to be had by a move
 * @typedef {Worth & {moves: Judged[]}} Proof   with all legal moves, the best first
 */
import { isInCheck } from '../rules/attacks.js';
import { isDead } from '../rules/endings.js';
import { generate } from '../rules/generation.js';
import { make, unmake } from '../rules/making.js';
import { BLACK } from '../rules/pieces.js';
import { lift, Position as Board, put } from '../rules/position.js';
import { variantEnd } from '../rules/variant_ends.js';

const MEN = 3;
/** Squares of the largest board: its endings take a second or two, and some megabytes. */
const LARGEST = 100;

/** What is known of a position, for the side to move. Two pieces on one square, or a king that can be taken, are no position. */
const [NONE, OPEN, WON, LOST, DRAWN] = [0, 1, 2, 3, 4];
const STATES = 8;
/** More half-moves than any win takes. */
const LATEST = 1 << 16;
/** @type {number[]} */
const NO_KINDS = [];
/** How a move may end. */
const [QUIET, TAKES] = [1, 2];

/** Solves endings of one variant, and keeps what it has solved. */
export class Solver {
  /** @param {Tables} tables */
  constructor(tables) {
    this.tables = tables;
    /** null: it is being solved. @type {Map<string, Ending | null>} */
    this.endings = new Map();
    /** By code. @type {Map<number, Moves>} */
    this.moves = new Map();
  }

  /**
   * Takes up to some seconds where the material is new.
   * @param {Position} p as before when it returns
   * @returns {Proof | null} null: nothing can be proved here, the game is over, or the win may come too late for the move rule
   */
  prove(p) {
    if (!isProvable(p)) return null;
    if (generate(p, 0) === 0 || isDead(p)) return null;
    const { winner, plies } = this.worth(p);
    const { moveRule } = p.tables.endings;
    if (winner !== null && moveRule && p.halfmoves + plies > moveRule) return null;
    return { winner, plies, moves: this.judge(p) };
  }

  /** The legal moves, the best first. @param {Position} p as before when it returns @returns {Judged[]} */
  judge(p) {
    const moves = Array.from(p.moves.subarray(0, generate(p, 0)), move => {
      make(p, move);
      const worth = this.worth(p);
      unmake(p);
      return { move, winner: worth.winner, plies: worth.winner === null ? 0 : worth.plies + 1 };
    });
    // A win counts more the sooner it comes, a loss the later.
    const weight = (/** @type {Judged} */ { winner, plies }) =>
      winner === null ? 0 : winner === p.side ? LATEST - plies : plies - LATEST;
    return moves.sort((one, other) => weight(other) - weight(one));
  }

  /**
   * A move and the best play of both sides that follows, until the game is over or `most` moves are told.
   * @param {Position} p as before when it returns @param {number} move @param {number} most @param {(move: number) => void} tell before it is made
   */
  follow(p, move, most, tell) {
    tell(move);
    make(p, move);
    const over = most === 1 || generate(p, 0) === 0 || isDead(p);
    if (!over) this.follow(p, this.judge(p)[0].move, most - 1, tell);
    unmake(p);
  }

  /** @param {Position} p in which nothing but where the pieces stand decides @returns {Worth} */
  worth({ board, side, tables }) {
    /** @type {[number, number][]} */
    const men = [];
    for (let square = 0; square < tables.size; square++) if (board[square]) men.push([board[square], square]);
    men.sort(([one], [other]) => one - other);
    const ending = this.ending(men.map(([code]) => code));
    const at = men.reduce((index, [, square]) => index * tables.size + square, side);
    const state = ending.states[at];
    return { winner: state === DRAWN ? null : state === WON ? side : 1 - side, plies: ending.plies[at] };
  }

  /**
   * The ending of those pieces, solved. Throws where a piece may become another, and that the first again.
   * @param {number[]} men codes in rising order @returns {Ending}
   */
  ending(men) {
    const key = men.join();
    const known = this.endings.get(key);
    if (known) return known;
    if (known === null) throw new Error('pieces become one another');
    this.endings.set(key, null);
    const ending = new Ending(this, men);
    ending.solve();
    this.endings.set(key, ending);
    return ending;
  }

  /** @param {number} code @returns {Moves} */
  movesOf(code) {
    const known = this.moves.get(code) ?? new Moves(this.tables.size, this.tables.reaches[code] ?? []);
    this.moves.set(code, known);
    return known;
  }
}

/** Are there few pieces, and nothing but where they stand that decides? @param {Position} p */
function isProvable(p) {
  const { codes, endings, around, restricted, size, variant } = p.tables;
  if (p.pieceCount[0] + p.pieceCount[1] > MEN || size > LARGEST || p.kings[0] < 0 || p.kings[1] < 0) return false;
  if (p.held[0] || p.held[1] || p.castling || p.gates || variant.rules.captures) return false;
  if (around || restricted || endings.checks || endings.goal?.reply) return false;
  return p.board.every(code => codes.settled[code] === code);
}

/** Every move of a kind of piece on an empty board, by number. */
class Moves {
  /** @param {number} size @param {Reach[]} reaches by square */
  constructor(size, reaches) {
    this.size = size;
    /** @type {number[]} */
    this.origins = [];
    /** @type {number[]} */
    this.targets = [];
    /** @type {number[]} */
    this.modes = [];
    /** @type {number[][]} */
    const ways = [];
    const add = (/** @type {number} */ origin, /** @type {number[]} */ squares, /** @type {number} */ mode) =>
      squares.forEach((target, nth) => {
        this.origins.push(origin);
        this.targets.push(target);
        this.modes.push(mode);
        ways.push(squares.slice(0, nth));
      });
    reaches.forEach(({ both, quiet, takes, bents }, origin) => {
      for (const { squares } of both) add(origin, squares, QUIET | TAKES);
      for (const { squares } of quiet) add(origin, squares, QUIET);
      for (const { squares } of takes) add(origin, squares, TAKES);
      for (const { elbow, rays } of bents) {
        const [bend] = elbow.squares;
        add(origin, [bend], QUIET | TAKES);
        for (const { squares } of rays) {
          const from = this.targets.length;
          add(origin, squares, QUIET | TAKES);
          for (let nth = from; nth < ways.length; nth++) ways[nth].push(bend);
        }
      }
    });
    /** By `move * size + square`: does a piece there stand in the way? */
    this.between = new Uint8Array(ways.length * size);
    ways.forEach((squares, move) => {
      for (const square of squares) this.between[move * size + square] = 1;
    });
    this.from = byPlace(this.origins, size);
    this.to = byPlace(this.targets, size);
  }
}

/** The moves from, or to, each square. @param {number[]} places by move @param {number} size @returns {Int32Array[]} */
const byPlace = (places, size) => {
  /** @type {number[][]} */
  const lists = Array.from({ length: size }, () => []);
  places.forEach((square, move) => void lists[square].push(move));
  return lists.map(list => Int32Array.from(list));
};

/** All positions of some pieces, by number. */
class Ending {
  /** @param {Solver} solver @param {number[]} men codes in rising order */
  constructor(solver, men) {
    const { size } = solver.tables;
    this.solver = solver;
    this.men = men;
    this.half = size ** men.length;
    this.weights = men.map((_, nth) => size ** (men.length - 1 - nth));
    this.states = new Uint8Array(2 * this.half);
    this.plies = new Uint16Array(2 * this.half);
    /** Moves that are not known to lose; and in how many half-moves the best of those loses that take or promote. */
    this.left = new Uint8Array(2 * this.half);
    this.least = new Uint16Array(2 * this.half);
    this.squares = men.map(() => 0);
    /** By half-moves: what is won or lost in so many, its number times STATES, and which of both. @type {number[][]} */
    this.waves = [];
    this.board = new Board(solver.tables, false);
    /** Where moves lead that take or promote: the material, and which piece here is its first, second … @type {Map<number, {ending: Ending, order: number[]}>} */
    this.others = new Map();
    this.known = men.map(code => solver.movesOf(code));
  }

  solve() {
    const dead = this.isDead();
    this.place(0, 0, index => this.judge(index));
    this.place(0, 0, index => {
      this.look(index, 0, dead);
      this.look(index, 1, dead);
    });
    if (!dead) this.reckonBack();
    for (let at = 0; at < this.states.length; at++) if (this.states[at] === OPEN) this.states[at] = DRAWN;
    this.left = new Uint8Array();
    this.least = new Uint16Array();
  }

  /** Is the game drawn as soon as it has come to these pieces? With so few, that does not depend on where they are. */
  isDead() {
    const { board, men } = this;
    for (const [square, code] of men.entries()) put(board, square, code);
    const dead = isDead(board);
    for (const square of men.keys()) lift(board, square);
    return dead;
  }

  /** Puts the pieces from the nth on wherever they can stand. @param {number} nth @param {number} index @param {(index: number) => void} then */
  place(nth, index, then) {
    if (nth === this.men.length) return then(index);
    const { board, men, squares } = this;
    const { codes, size } = board.tables;
    for (let square = 0; square < size; square++) {
      if (board.board[square]) continue;
      put(board, square, men[nth]);
      squares[nth] = square;
      if (codes.king[men[nth]]) board.kings[men[nth] >> 7] = square;
      this.place(nth + 1, index * size + square, then);
      lift(board, square);
    }
  }

  /** Which side may be to move here, and whether the variant has ended the game. @param {number} index */
  judge(index) {
    const { board, half, states } = this;
    for (const side of [0, 1]) {
      board.side = side;
      if (isInCheck(board, 1 - side)) continue;
      const end = board.tables.ends ? variantEnd(board) : null;
      const at = side * half + index;
      states[at] = OPEN;
      if (end) this.end(at, side, end.winner);
    }
  }

  /** The game is over there. @param {number} at @param {number} side to move @param {number | null} winner */
  end(at, side, winner) {
    this.states[at] = winner === null ? DRAWN : winner === side ? WON : LOST;
    if (winner !== null) this.await(0, at, winner === side ? WON : LOST);
  }

  /** @param {number} plies in which it is won or lost @param {number} at @param {number} state */
  await(plies, at, state) {
    while (this.waves.length <= plies) this.waves.push([]);
    this.waves[plies].push(at * STATES + state);
  }

  /** Counts a side's moves, and notes how those end that lead into other material. @param {number} index @param {number} side @param {boolean} dead is it a draw, if there is a move? */
  look(index, side, dead) {
    const { board, half, men, squares, states, weights } = this;
    const at = side * half + index;
    if (states[at] !== OPEN) return;
    const { tables } = board;
    const foe = (1 - side) * half + index;
    let [moves, left, least] = [0, 0, 0];
    for (let man = 0; man < men.length; man++) {
      const code = men[man];
      if (code >> 7 !== side) continue;
      const known = this.known[man];
      const rule = tables.promotions[code];
      const origin = squares[man];
      const from = known.from[origin];
      for (let nth = 0; nth < from.length; nth++) {
        const move = from[nth];
        const target = known.targets[move];
        const met = board.board[target];
        if (!(known.modes[move] & (met ? TAKES : QUIET)) || (met && met >> 7 === side)) continue;
        if (this.isBlocked(known, move)) continue;
        const promotes = rule !== null && (rule.zone[target] === 1 || (rule.touch && rule.zone[origin] === 1));
        const stays = !promotes || !rule.forced[target];
        if (stays && !met && states[foe + (target - origin) * weights[man]] !== NONE) {
          moves++;
          left++;
        }
        const kinds = promotes ? rule.choices[target % tables.variant.files] : NO_KINDS;
        for (let way = stays && met ? -1 : 0; way < kinds.length; way++) {
          const { ending, place } = this.beyond(man, way < 0 ? code : (code & BLACK) + kinds[way], target, 1 - side);
          const state = ending.states[place];
          if (state === NONE) continue;
          moves++;
          if (state === LOST) this.await(ending.plies[place] + 1, at, WON);
          if (state === WON) least = Math.max(least, ending.plies[place] + 1);
          else left++;
        }
      }
    }
    if (!moves) {
      const { stalemateLoses, stalemateWins } = tables.endings;
      const loses = stalemateLoses || isInCheck(board, side);
      this.end(at, side, loses ? 1 - side : stalemateWins ? side : null);
    } else if (dead) states[at] = DRAWN;
    else if (!left) this.await(least, at, LOST);
    this.left[at] = left;
    this.least[at] = least;
  }

  /** Does a piece stand in the way of the move? @param {Moves} known @param {number} move */
  isBlocked({ between, size }, move) {
    const { squares } = this;
    for (let man = 0; man < squares.length; man++) if (between[move * size + squares[man]]) return true;
    return false;
  }

  /** Where a move leads that takes or promotes. @param {number} man @param {number} becomes code @param {number} target @param {number} side to move then */
  beyond(man, becomes, target, side) {
    const { board, men, squares } = this;
    const taken = board.board[target] ? men.indexOf(board.board[target]) : -1;
    const key = (((taken + 1) << 8) | becomes) * MEN + man;
    let other = this.others.get(key);
    if (!other) {
      const left = men
        .map((code, nth) => ({ code: nth === man ? becomes : code, nth }))
        .filter(({ nth }) => nth !== taken);
      left.sort((one, another) => one.code - another.code);
      other = { ending: this.solver.ending(left.map(({ code }) => code)), order: left.map(({ nth }) => nth) };
      this.others.set(key, other);
    }
    const { ending, order } = other;
    let place = side;
    for (let nth = 0; nth < order.length; nth++)
      place = place * board.tables.size + (order[nth] === man ? target : squares[order[nth]]);
    return { ending, place };
  }

  /** From what is won or lost to what leads there without taking or promoting, a half-move at a time. */
  reckonBack() {
    const { plies, states, waves } = this;
    for (let wave = 0; wave < waves.length; wave++) {
      for (const noted of waves[wave]) {
        const at = Math.floor(noted / STATES);
        if (wave && states[at] !== OPEN) continue;
        states[at] = noted % STATES;
        plies[at] = wave;
        this.reckonBefore(at, wave + 1);
      }
      waves[wave] = [];
    }
  }

  /** The same for one of them, and what can be in so many half-moves. @param {number} at @param {number} wave */
  reckonBefore(at, wave) {
    const { board, half, known, least, left, men, squares, states, weights } = this;
    const { promotions, size } = board.tables;
    const mover = at < half ? 1 : 0;
    const index = at - (1 - mover) * half;
    for (let man = 0; man < men.length; man++) squares[man] = Math.floor(index / weights[man]) % size;
    for (let man = 0; man < men.length; man++) {
      if (men[man] >> 7 !== mover || promotions[men[man]]?.forced[squares[man]]) continue;
      const { modes, origins, to } = known[man];
      const moves = to[squares[man]];
      for (let nth = 0; nth < moves.length; nth++) {
        const move = moves[nth];
        const prior = mover * half + index + (origins[move] - squares[man]) * weights[man];
        // Where two pieces would be on one square there is no position.
        if (states[prior] !== OPEN || !(modes[move] & QUIET) || this.isBlocked(known[man], move)) continue;
        if (states[at] === LOST) this.await(wave, prior, WON);
        else if (--left[prior] === 0) this.await(Math.max(wave, least[prior]), prior, LOST);
      }
    }
  }
}

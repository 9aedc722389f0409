/**
 * Judges a position without searching: material, squares, pockets, and how safe the kings are.
 *
 * @import { Position } from '../rules/position.js'
 * @import { Tables } from '../rules/tables.js'
 * @import { Values } from './values.js'
 */
import { isAttacked } from '../rules/attacks.js';
import { BLACK } from '../rules/pieces.js';
import { valuesOf } from './values.js';

const TEMPO = 10;
/** Of a piece's value, for each square nearer to the enemy king. */
const CLOSING_IN = 0.006;
const FARTHEST = 7;
/** For each own piece beside the king; the fewer pieces the enemy has to attack with, the less. */
const SHELTER = 9;
/** For each square beside a king where an enemy can put a piece under cover: at least, and with half an army in the pocket. */
const EXPOSED = 8;
const MOST_EXPOSED = 68;
/** For each step of a king towards the middle, when little is left to attack it; and for each towards a bare king. */
const CENTRAL = 8;
/** For a piece that wins by reaching its goal, one step before it, if the enemy guards no square of it; and of that with each step more. */
const NEAR_GOAL = 110;
const EACH_STEP = 0.5;
/** The share of it that is gone while the whole enemy army is there. */
const AGAINST_GOAL = 0.8;
/** For having only one check left to give, where a number of them wins; and of that with each one more. */
const LAST_CHECK = 260;
const EACH_CHECK = 0.35;
const MOST = 20_000;

/** The evaluation of one variant. */
export class Evaluation {
  /** @param {Tables} tables */
  constructor(tables) {
    this.tables = tables;
    this.values = valuesOf(tables);
    const { files, ranks } = tables.variant;
    this.ring = rings(tables);
    this.enters = [0, 1].map(side => enterable(tables, side));
    this.fromMiddle = Int16Array.from({ length: tables.size }, (_, square) =>
      Math.round(
        Math.max(Math.abs((square % files) - (files - 1) / 2), Math.abs(Math.floor(square / files) - (ranks - 1) / 2)),
      ),
    );
    /** Points by `distance << 8 | code`. */
    this.near = Int16Array.from({ length: 16 << 8 }, (_, at) =>
      Math.round(CLOSING_IN * this.values.piece[at & 255] * Math.max(0, FARTHEST - (at >> 8))),
    );
    /** Distance in king's steps by `from << 8 | to`. */
    this.distance = distances(tables);
    this.goals = tables.goals.map(goal => goalOf(this.distance, goal));
    /** Points by how many checks are left to give; [] if no number of them wins. */
    this.checks = Array.from({ length: tables.endings.checks && tables.endings.checks + 1 }, (_, left) =>
      Math.round(LAST_CHECK * EACH_CHECK ** Math.max(0, left - 1)),
    );
    this.army = Math.max(1, armyOf(tables, this.values));
    /** By how much it misjudges, at most; each position always in the same way. */
    this.error = 0;
    /** Which way it misjudges. */
    this.seed = 0;
  }

  /** For the side to move, in hundredths of a pawn. @param {Position} p @returns {number} */
  of(p) {
    const { distance, near, values } = this;
    const { worth, piece } = values;
    const { board, kings } = p;
    let score = 0;
    let white = this.pocket(p, 0);
    let black = this.pocket(p, 1);
    const whitePocket = white;
    const blackPocket = black;
    const whiteKing = kings[0] < 0 ? 0 : kings[0];
    const blackKing = kings[1] < 0 ? 0 : kings[1];
    for (let square = 0; square < this.tables.size; square++) {
      const code = board[square];
      if (code === 0) continue;
      if (code < BLACK) {
        white += piece[code];
        score += worth[(code << 8) | square] + near[(distance[(square << 8) | blackKing] << 8) | code];
      } else {
        black += piece[code];
        score -= worth[(code << 8) | square] + near[(distance[(square << 8) | whiteKing] << 8) | code];
      }
    }
    score += whitePocket - blackPocket + this.king(p, 0, black, blackPocket) - this.king(p, 1, white, whitePocket);
    if (this.goals.length) score += this.goal(p, 0, black) - this.goal(p, 1, white);
    if (this.checks.length) score += this.checks[p.toCheck[0]] - this.checks[p.toCheck[1]];
    const own = (p.side ? -score : score) + TEMPO + (this.error ? Math.round(this.error * misjudged(p, this.seed)) : 0);
    return own > MOST ? MOST : own < -MOST ? -MOST : own;
  }

  /** @param {Position} p @param {number} side */
  pocket(p, side) {
    let sum = 0;
    if (p.held[side])
      for (let place = 0; place < p.roles; place++) sum += p.pockets[side * p.roles + place] * this.values.held[place];
    return sum;
  }

  /**
   * How near a side is to a goal that wins, and how much of it the enemy leaves unguarded; the less, the more the enemy has to
   * keep it off. @param {Position} p @param {number} side @param {number} enemies what they are worth
   */
  goal(p, side, enemies) {
    const { codes, squares, steps } = this.goals[side];
    let nearest = 0;
    for (let square = 0; square < this.tables.size; square++)
      if (codes[p.board[square]] && steps[square] > nearest) nearest = steps[square];
    if (nearest === 0) return 0;
    let open = 0;
    for (const square of squares) if (!isAttacked(p, square, 1 - side, -1)) open++;
    const way = 1 - AGAINST_GOAL * Math.min(1, enemies / this.army);
    return Math.round(((nearest * (1 + (2 * open) / squares.length)) / 3) * way);
  }

  /** How well a king stands, against enemies of that value, of which that much in the pocket. @param {Position} p @param {number} side @param {number} enemies @param {number} inPocket */
  king(p, side, enemies, inPocket) {
    const king = p.kings[side];
    if (king < 0) return 0;
    const danger = Math.min(2, (enemies + inPocket) / this.army);
    let pieces = 0;
    let holes = 0;
    for (const square of this.ring[king]) {
      if (p.board[square] && p.board[square] >> 7 === side) pieces++;
      else if (inPocket && this.enters[1 - side][square] && isAttacked(p, square, 1 - side, -1)) holes++;
    }
    const exposed = EXPOSED + (MOST_EXPOSED - EXPOSED) * Math.min(1, (2 * inPocket) / this.army);
    const { files, ranks } = this.tables.variant;
    const rank = Math.floor(king / files);
    const advanced = side ? ranks - 1 - rank : rank;
    const central = (Math.max(files, ranks) >> 1) - this.fromMiddle[king];
    const alone =
      p.pieceCount[side] === 1 && p.kings[1 - side] >= 0 ? this.distance[(king << 8) | p.kings[1 - side]] : 0;
    return (
      Math.round(danger * (SHELTER * pieces - 2 * SHELTER * advanced) + (1 - Math.min(1, danger)) * CENTRAL * central) -
      Math.round(holes * exposed) +
      CENTRAL * alone
    );
  }
}

/** The squares around each square. @param {Tables} tables */
function rings({ size, variant: { files, ranks } }) {
  return Array.from({ length: size }, (_, at) => {
    const found = [];
    for (let y = Math.max(0, Math.floor(at / files) - 1); y <= Math.min(ranks - 1, Math.floor(at / files) + 1); y++)
      for (let x = Math.max(0, (at % files) - 1); x <= Math.min(files - 1, (at % files) + 1); x++)
        if (y * files + x !== at) found.push(y * files + x);
    return found;
  });
}

/** By square: may that side put some piece there from its pocket? @param {Tables} tables @param {number} side */
function enterable({ dropZones, size }, side) {
  const found = new Uint8Array(size);
  for (const zone of dropZones[side]) for (const square of zone) found[square] = 1;
  return found;
}

/** @param {Tables} tables */
function distances({ size, variant: { files } }) {
  const found = new Uint8Array(65536);
  for (let from = 0; from < size; from++)
    for (let to = 0; to < size; to++)
      found[(from << 8) | to] = Math.max(
        Math.abs((from % files) - (to % files)),
        Math.abs(Math.floor(from / files) - Math.floor(to / files)),
      );
  return found;
}

/**
 * The squares that win, which codes win there, and by square what it is worth to be so near to them.
 * @param {Uint8Array} distance @param {{squares: number[], codes: Uint8Array}} goal
 */
function goalOf(distance, { codes, squares }) {
  const steps = Int16Array.from({ length: 256 }, (_, from) => {
    const away = Math.min(...squares.map(to => distance[(from << 8) | to]));
    return away === 0 ? 0 : Math.round(NEAR_GOAL * EACH_STEP ** (away - 1));
  });
  return { codes, squares, steps };
}

/** The value of one army at the start. @param {Tables} tables @param {Values} values */
function armyOf({ codes, variant }, { piece }) {
  let sum = 0;
  for (const token of variant.startFen.split(' ')[0].match(/\+?[A-Z]/g) ?? [])
    sum += piece[codes.bySymbol.get(token) ?? 0];
  return sum;
}

/** From -1 to 1, mostly near 0: by chance, but for each position and seed the same. @param {Position} p @param {number} seed */
function misjudged({ low, high, extra }, seed) {
  const salt = Math.imul(seed, 0x9e3779b1);
  const mixed =
    Math.imul(low ^ extra ^ salt ^ (low >>> 15), 0x2c1b3c6d) ^ Math.imul(high ^ salt ^ (high >>> 13), 0x297a2d39);
  return ((mixed & 0xffff) + (mixed >>> 16)) / 0xffff - 1;
}

/**
 * A position that changes as moves are made and unmade: everything the rules depend on at one moment, and its hash.
 *
 * `low`, `high`: the repetition key. Positions that count as repeated have the same; `extra` is what else differs.
 *
 * @import { Tables } from './tables.js'
 */
const STRIDE = 16;
const ROOM = 32_768;

export class Position {
  /** @param {Tables} tables @param {boolean} chess960 */
  constructor(tables, chess960) {
    this.tables = tables;
    this.chess960 = chess960;
    this.board = new Uint8Array(256);
    /** 0 when White is to move, 1 when Black is. */
    this.side = 0;
    this.roles = tables.pocketKinds.length;
    /** By `side * roles + place`. */
    this.pockets = new Uint8Array(2 * this.roles);
    /** Pieces in each pocket together. */
    this.held = new Int32Array(2);
    /** A bit for each rook that may still castle: White's file, 16 + Black's file. */
    this.castling = 0;
    /** Likewise for each piece behind which one may be gated. */
    this.gates = 0;
    /** The square that a pawn jumped over, if an enemy pawn attacks it, be it pinned or not; else -1. */
    this.enPassant = -1;
    /** The same if the pawn may legally be taken there, which alone makes it another position; else -1. */
    this.takeable = -1;
    this.halfmoves = 0;
    this.fullmove = 1;
    /** Squares of the kings; -1 while one is in the pocket, or taken. */
    this.kings = new Int16Array([-1, -1]);
    /** By side: how many checks it still has to give, where a number of them wins. */
    this.toCheck = new Uint8Array(2);
    /** Pieces on the board by code. */
    this.count = new Int16Array(256);
    /** Pieces on the board by side. */
    this.pieceCount = new Int16Array(2);
    this.low = 0;
    this.high = 0;
    this.extra = 0;
    /** Plies since the position was set. */
    this.ply = 0;
    /** By ply: what exploded, square and code in turn. @type {number[][]} */
    this.blasts = [];
    this.undo = new Int32Array(STRIDE * 1024);
    /** Moves that were generated; each generation writes where its caller says. */
    this.moves = new Int32Array(4 * ROOM);
    /** How many pieces give check, as the last generation found. */
    this.checks = 0;
  }

  /** Room for one more generation from `base` on. @param {number} base */
  reserve(base) {
    if (base + ROOM <= this.moves.length) return;
    const longer = new Int32Array(2 * this.moves.length);
    longer.set(this.moves);
    this.moves = longer;
  }

  /** Room to remember one more ply; where that is. */
  remembering() {
    const at = this.ply * STRIDE;
    if (at + STRIDE > this.undo.length) {
      const longer = new Int32Array(2 * this.undo.length);
      longer.set(this.undo);
      this.undo = longer;
    }
    return at;
  }

  /** How often this position has stood on the board since it was set up, now included. @param {number} [most] plies to look back */
  occurrences(most = this.ply) {
    let found = 1;
    for (let back = 2; back <= most; back += 2) {
      const at = (this.ply - back) * STRIDE;
      if (this.undo[at + LOW] === this.low && this.undo[at + HIGH] === this.high) found++;
    }
    return found;
  }
}

/** Places in a record of `undo`. */
export const MOVE = 0;
export const MOVED = 1;
export const CAPTURED = 2;
export const CAPTURED_AT = 3;
export const CASTLING = 4;
export const GATES = 5;
export const EN_PASSANT = 6;
export const HALFMOVES = 7;
export const LOW = 8;
export const HIGH = 9;
export const EXTRA = 10;
export const WHITE_KING = 11;
export const BLACK_KING = 12;
export const TAKEABLE = 13;
export const TO_CHECK = 14;

/** Puts a piece on an empty square. @param {Position} p @param {number} square @param {number} code */
export function put(p, square, code) {
  const { low, high, extra } = p.tables.zobrist;
  const at = (code << 8) | square;
  p.board[square] = code;
  p.count[code]++;
  p.pieceCount[code >> 7]++;
  p.low ^= low[at];
  p.high ^= high[at];
  p.extra ^= extra[at];
}

/** Takes the piece off a square. @param {Position} p @param {number} square */
export function lift(p, square) {
  const { low, high, extra } = p.tables.zobrist;
  const code = p.board[square];
  const at = (code << 8) | square;
  p.board[square] = 0;
  p.count[code]--;
  p.pieceCount[code >> 7]--;
  p.low ^= low[at];
  p.high ^= high[at];
  p.extra ^= extra[at];
}

/** Changes the number of pieces of one role in a pocket. @param {Position} p @param {number} side @param {number} place @param {number} change */
export function changePocket(p, side, place, change) {
  const { pocketLow, pocketHigh } = p.tables.zobrist;
  const slot = side * p.roles + place;
  const before = (slot << 8) | p.pockets[slot];
  p.low ^= pocketLow[before] ^ pocketLow[before + change];
  p.high ^= pocketHigh[before] ^ pocketHigh[before + change];
  p.pockets[slot] += change;
  p.held[side] += change;
}

/** @param {Position} p @param {number} castling */
export function setCastling(p, castling) {
  const { castlingLow, castlingHigh } = p.tables.zobrist;
  for (let changed = p.castling ^ castling; changed; changed &= changed - 1) {
    const bit = 31 - Math.clz32(changed & -changed);
    p.low ^= castlingLow[bit];
    p.high ^= castlingHigh[bit];
  }
  p.castling = castling;
}

/** @param {Position} p @param {number} gates */
export function setGates(p, gates) {
  for (let changed = p.gates ^ gates; changed; changed &= changed - 1)
    p.extra ^= p.tables.zobrist.gates[31 - Math.clz32(changed & -changed)];
  p.gates = gates;
}

/** @param {Position} p @param {number} square where a pawn may be taken en passant, or -1 */
export function setTakeable(p, square) {
  const { enPassant } = p.tables.zobrist;
  const changed = (p.takeable < 0 ? 0 : enPassant[p.takeable]) ^ (square < 0 ? 0 : enPassant[square]);
  p.low ^= changed;
  p.high ^= changed;
  p.takeable = square;
}

/** @param {Position} p @param {number} side @param {number} left */
export function setToCheck(p, side, left) {
  const { checks } = p.tables.zobrist;
  const changed = checks[(side << 4) | p.toCheck[side]] ^ checks[(side << 4) | left];
  p.low ^= changed;
  p.high ^= changed;
  p.toCheck[side] = left;
}

/** @param {Position} p */
export function turnSide(p) {
  p.side = 1 - p.side;
  p.low ^= p.tables.zobrist.side;
  p.high ^= p.tables.zobrist.side;
}

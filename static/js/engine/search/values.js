/**
 * What pieces are worth, in hundredths of a pawn, from nothing but how they move on their board.
 *
 * A piece is worth the squares it reaches on a board filled as in play, leaps undiminished, rides the less the longer they
 * are. A square is worth more or less than the average as it gives more or less reach; a piece that may promote is worth
 * a share of what it may become, the more the nearer it is to promotion. Knows no variant by name.
 *
 * @import { Tables } from '../rules/tables.js'
 * @import { Ray, Reach } from '../rules/movement.js'
 *
 * @typedef {object} Values
 * @property {Int16Array} piece   by code; 0 for kings
 * @property {Int16Array} worth   by `code << 8 | square`: what it adds for its side there
 * @property {Int16Array} held   by place in the pocket
 */
import { rankFor } from '../rules/variant_rules.js';

/** The share of squares that are empty in play. */
const EMPTY = 0.7;
/** The worth of one square of reach; a knight in the middle of a chess board has eight. */
const PER_SQUARE = 47;
/** Pieces that combine much reach are worth more than its sum. */
const COMBINED = 1.14;
/** Where captures change sides, big pieces are worth less: they are lost for good, and so are small ones for the other. */
const IN_DROP_GAMES = 0.88;
const PAWN = 100;
/** What a move counts that may only go, or only take. */
const HALF = 0.5;
const CENTRE = 5;
/** Of the gain by promotion, one step before it; and what is left of that with each step more. */
const ONE_STEP_AWAY = 0.2;
const EACH_STEP = 0.45;

/** @param {Tables} tables @returns {Values} */
export function valuesOf(tables) {
  const { codes, pocketKinds, variant } = tables;
  const reach = tables.reaches.map(squares => squares?.map(mobility) ?? []);
  const piece = Int16Array.from(reach, (squares, code) => pieceValue(tables, squares, code));
  const worth = new Int16Array(65536);
  reach.forEach((squares, code) => {
    const average = mean(squares);
    squares.forEach((count, square) => {
      const base = piece[code] + (codes.king[code] || codes.pawn[code] ? 0 : CENTRE * (count - average));
      worth[(code << 8) | square] = Math.round(base + promising(tables, piece, code, square));
    });
  });
  // What can be dropped anywhere has no way to go; what only enters behind a piece may come too late.
  const share = variant.drops ? 1.06 : 0.8;
  return { piece, worth, held: Int16Array.from(pocketKinds, kind => Math.round(share * piece[kind])) };
}

/** @param {number[]} numbers */
const mean = numbers => numbers.reduce((sum, one) => sum + one, 0) / (numbers.length || 1);

/** The squares a piece may expect to reach. @param {Reach} reach */
function mobility({ both, quiet, takes, bents }) {
  let squares = sum(both, 1) + sum(quiet, HALF) + sum(takes, HALF);
  for (const { rays } of bents) squares += 1 + EMPTY * sum(rays, 1);
  return squares;
}

/** @param {Ray[]} rays @param {number} each */
function sum(rays, each) {
  let squares = 0;
  for (const ray of rays) squares += (each * (1 - EMPTY ** ray.squares.length)) / (1 - EMPTY);
  return squares;
}

/** @param {Tables} tables @param {number[]} reach by square @param {number} code */
function pieceValue({ codes, variant }, reach, code) {
  const kind = codes.kinds[code];
  if (!kind || codes.king[code]) return 0;
  if (codes.pawn[code]) return PAWN;
  const value = PAWN * ((PER_SQUARE * mean(reach)) / PAWN) ** COMBINED;
  // One that returns as a lesser piece is lost for less.
  const plain = variant.rules.captures ? PAWN * (value / PAWN) ** IN_DROP_GAMES : value;
  return Math.min(Math.round(plain), 3000);
}

/** What a piece may gain by promotion from a square on. @param {Tables} tables @param {Int16Array} piece @param {number} code @param {number} square */
function promising({ promotions, variant }, piece, code, square) {
  const rule = promotions[code];
  if (!rule) return 0;
  const file = square % variant.files;
  const side = code >> 7;
  const gain = Math.max(...rule.choices[file].map(kind => piece[kind])) - piece[code];
  const ranks = Array.from({ length: variant.ranks }, (_, rank) => rank * variant.files + file);
  const zone = ranks.filter(one => rule.zone[one]).map(one => rankFor(variant, one, side));
  const steps = Math.max(1, Math.min(...zone) - rankFor(variant, square, side));
  return Math.max(0, gain) * ONE_STEP_AWAY * EACH_STEP ** (steps - 1);
}

/**
 * Where a piece can go by its movement data (server.rules.variant.describe), to show it and for premoves. These are not the
 * rules: checks, pins and castling rights are ignored, and nothing here decides whether a move is played.
 *
 * @import { Position } from './position.js'
 * @import { Color, Movement, Variant } from './variant.js'
 */
import { onBoard, toSquare, toXY } from './geometry.js';
import { parseFen } from './position.js';
import { relativeRank } from './variant.js';

/**
 * Whether a moving piece can stop on a square, given what stands there, and whether it can move on past it.
 * @callback Blocking
 * @param {string} square
 * @param {Movement['mode']} mode
 * @returns {{stop: boolean, pass: boolean}}
 */

/**
 * Whether the castling field of the FEN has any letter of this colour. It also holds the rights to a first move.
 * @param {Position} position @param {Color} color
 */
export const hasCastlingRights = ({ rights }, color) => (color === 'white' ? /[A-Z]/ : /[a-z]/).test(rights);

/** @param {Variant} variant @param {Position} position @param {string} square */
function isUnmoved(variant, position, square) {
  const piece = position.pieces.get(square);
  const first = parseFen(variant.startFen).pieces.get(square);
  return (
    !!piece && first?.role === piece.role && first.color === piece.color && hasCastlingRights(position, piece.color)
  );
}

/**
 * The squares that the piece on `square` can reach.
 * @param {Variant} variant @param {Position} position @param {string} square @param {Blocking} blocking
 * @returns {string[]} each once
 */
export function reach(variant, position, square, blocking) {
  const piece = position.pieces.get(square);
  if (!piece) return [];
  const [x, y] = toXY(square);
  const forward = piece.color === 'white' ? 1 : -1;
  /** @type {Set<string>} */
  const found = new Set();

  /** Runs from (fx, fy), to the edge if max is 0. Returns whether the last square visited can be passed.
   * @param {number} fx @param {number} fy @param {number[]} step @param {number} max @param {Movement['mode']} mode */
  const run = (fx, fy, [dx, dy], max, mode) => {
    let pass = true;
    for (let n = 1; pass && (max === 0 || n <= max); n++) {
      const [tx, ty] = [fx + n * dx, fy + n * dy * forward];
      if (!onBoard(variant, tx, ty)) return false;
      const target = toSquare(tx, ty);
      const verdict = blocking(target, mode);
      if (verdict.stop) found.add(target);
      pass = verdict.pass;
    }
    return pass;
  };

  for (const { steps, max, mode, then, ranks, unmoved } of variant.roles[piece.role]?.moves ?? []) {
    if (ranks && !ranks.includes(relativeRank(variant, piece.color, y))) continue;
    if (unmoved && !isUnmoved(variant, position, square)) continue;
    for (const step of steps) {
      const open = run(x, y, step, max, mode);
      if (then && open) for (const turn of then) run(x + step[0], y + step[1] * forward, turn, 0, mode);
    }
  }
  return [...found];
}

/**
 * The squares where a piece from the pocket may be dropped, ignoring what stands there now.
 * @param {Variant} variant @param {Color} color @param {string} role
 */
export function dropZone(variant, color, role) {
  const squares = [];
  for (let y = 0; y < variant.ranks; y++)
    if (variant.drops?.[role]?.ranks.includes(relativeRank(variant, color, y)))
      for (let x = 0; x < variant.files; x++) squares.push(toSquare(x, y));
  return squares;
}

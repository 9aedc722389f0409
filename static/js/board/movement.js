/**
 * Where a piece can go by its movement data (server.rules.variant.describe), for hints and premoves. Not the rules: it knows
 * no check, no pin and no right to castle, and nothing here decides whether a move is played.
 *
 * @import { Position } from './position.js'
 * @import { Color, Movement, Variant } from './variant.js'
 */
import { onBoard, toSquare, toXY } from './geometry.js';
import { parseFen } from './position.js';
import { relativeRank } from './variant.js';

/**
 * What may stand on a square for a walk to stop on it, and to go on beyond it.
 * @callback Blocking
 * @param {string} square
 * @param {Movement['mode']} mode
 * @returns {{stop: boolean, pass: boolean}}
 */

/**
 * Whether the letters of the castling field still give this colour any right; the first-move rights stand there too.
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
 * The squares that the piece on `square` reaches.
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

  /** Runs from (fx, fy); max 0 = to the edge. Says whether the last square looked at may be passed.
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
 * The squares where a piece in the pocket may be put, whoever stands there now.
 * @param {Variant} variant @param {Color} color @param {string} role
 */
export function dropZone(variant, color, role) {
  const squares = [];
  for (let y = 0; y < variant.ranks; y++)
    if (variant.drops?.[role]?.ranks.includes(relativeRank(variant, color, y)))
      for (let x = 0; x < variant.files; x++) squares.push(toSquare(x, y));
  return squares;
}

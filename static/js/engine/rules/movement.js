/**
 * Movement on one board: where a piece may go from a square, and what must be empty on its way.
 *
 * @import { Direction, Movement, VariantRules } from './variant_rules.js'
 * @import { Kind } from './pieces.js'
 *
 * @typedef {{step: Direction, squares: number[]}} Ray   through empty squares
 * @typedef {{elbow: Ray, rays: Ray[]}} Bent   its first square, and the rays from there if that is empty
 *
 * @typedef {object} Reach   the moves of a piece from one square
 * @property {Ray[]} both   possibly ending on an enemy
 * @property {Ray[]} quiet   through empty squares only
 * @property {Ray[]} takes   ending on an enemy only
 * @property {Bent[]} bents
 */
import { rankFor } from './variant_rules.js';

/**
 * @param {VariantRules} variant @param {Kind} kind @param {number} side @param {number} origin
 * @param {boolean} [onlyEnPassant]   only the movements that take en passant
 * @returns {Reach}
 */
export function reachFrom(variant, kind, side, origin, onlyEnPassant = false) {
  /** @type {Map<number, {step: Direction, mode: Movement['mode'], max: number}>} */
  const runs = new Map();
  /** @type {Reach} */
  const reach = { both: [], quiet: [], takes: [], bents: [] };
  for (const move of kind.info.moves) {
    if ((onlyEnPassant && !move.enPassant) || !isAllowed(variant, kind, move, side, origin)) continue;
    for (const white of move.steps) {
      const step = turned(white, side);
      if (move.then) addBent(variant, reach, origin, step, move.then, side);
      else lengthen(runs, step, move);
    }
  }
  const lists = { both: reach.both, move: reach.quiet, capture: reach.takes };
  for (const { step, mode, max } of runs.values()) {
    const squares = squaresAlong(variant, origin, step, max);
    if (squares.length) lists[mode].push({ step, squares });
  }
  return reach;
}

/** @param {VariantRules} variant @param {Kind} kind @param {Movement} move @param {number} side @param {number} origin */
function isAllowed(variant, kind, move, side, origin) {
  if (!move.ranks && !move.unmoved) return true;
  return kind.unmoved || (move.ranks?.includes(rankFor(variant, origin, side)) ?? false);
}

/** @param {Direction} step @param {number} side @returns {Direction} */
const turned = ([dx, dy], side) => [dx, side ? -dy : dy];

const MODES = ['both', 'move', 'capture'];

/** A longer run along the same line takes the place of a shorter one.
 * @param {Map<number, {step: Direction, mode: Movement['mode'], max: number}>} runs @param {Direction} step @param {Movement} move */
function lengthen(runs, step, { mode, max }) {
  const key = ((step[0] + 16) << 10) | ((step[1] + 16) << 5) | MODES.indexOf(mode);
  const known = runs.get(key)?.max ?? 1;
  runs.set(key, { step, mode, max: known === 0 || max === 0 ? 0 : Math.max(known, max) });
}

/** @param {VariantRules} variant @param {Reach} reach @param {number} origin @param {Direction} step @param {Direction[]} then @param {number} side */
function addBent(variant, reach, origin, step, then, side) {
  const squares = squaresAlong(variant, origin, step, 1);
  if (!squares.length) return;
  const rays = then
    .map(run => turned(run, side))
    .map(run => ({ step: run, squares: squaresAlong(variant, squares[0], run, 0) }));
  reach.bents.push({ elbow: { step, squares }, rays: rays.filter(ray => ray.squares.length) });
}

/** @param {VariantRules} variant @param {number} origin @param {Direction} step @param {number} max 0 = to the edge */
export function squaresAlong({ files, ranks }, origin, [dx, dy], max) {
  const squares = [];
  let x = (origin % files) + dx;
  let y = Math.floor(origin / files) + dy;
  while (x >= 0 && x < files && y >= 0 && y < ranks) {
    squares.push(y * files + x);
    if (squares.length === max) break;
    x += dx;
    y += dy;
  }
  return squares;
}

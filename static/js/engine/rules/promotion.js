/**
 * Promotion: which pieces may become what, and where.
 *
 * @import { VariantRules, Promotion } from './variant_rules.js'
 * @import { Codes } from './pieces.js'
 * @import { Position } from './position.js'
 *
 * @typedef {object} PromotionRule
 * @property {Uint8Array} zone   by square
 * @property {Uint8Array} forced   by square
 * @property {boolean} touch   moves within and out of the zone promote, too
 * @property {number[][]} choices   by file of the target: kinds
 */
import { BLACK } from './pieces.js';
import { encode, PROMOTION, targetOf } from './moves.js';
import { rankFor } from './variant_rules.js';

/** By code: the rule for that piece, or null. @param {VariantRules} variant @param {Codes} codes */
export function promotionRules(variant, codes) {
  return codes.kinds.map((kind, code) => {
    const rule = kind && !kind.marked ? variant.promotion[kind.role] : undefined;
    return rule ? compiled(variant, codes, rule, code >> 7) : null;
  });
}

/** @param {VariantRules} variant @param {Codes} codes @param {Promotion} rule @param {number} side @returns {PromotionRule} */
function compiled(variant, codes, { ranks, forced, to, when, byFile }, side) {
  const kind = (/** @type {string} */ role) => codes.become.get(role) ?? 0;
  const onRanks = (/** @type {number[]} */ wanted) =>
    Uint8Array.from({ length: variant.files * variant.ranks }, (_, square) =>
      wanted.includes(rankFor(variant, square, side)) ? 1 : 0,
    );
  return {
    zone: onRanks(ranks),
    forced: onRanks(forced),
    touch: when === 'touch',
    choices: Array.from({ length: variant.files }, (_, file) => (byFile ? [byFile[file]] : to).map(kind)),
  };
}

const scratch = new Int32Array(1024);

/**
 * Rewrites the plain moves of one piece in `position.moves`, from `start` to `end`, with its promotions.
 * @param {Position} position @param {PromotionRule} rule @param {number} origin @param {number} start @param {number} end
 * @returns {number} the new end
 */
export function withPromotions(position, rule, origin, start, end) {
  const { moves, tables } = position;
  const fromZone = rule.touch && rule.zone[origin] === 1;
  let at = start;
  while (at < end && !fromZone && !rule.zone[targetOf(moves[at])]) at++;
  const number = end - at;
  for (let nth = 0; nth < number; nth++) scratch[nth] = moves[at + nth];
  for (let nth = 0; nth < number; nth++) {
    const target = targetOf(scratch[nth]);
    const may = fromZone || rule.zone[target] === 1;
    if (!may || !rule.forced[target]) moves[at++] = scratch[nth];
    if (!may) continue;
    for (const kind of rule.choices[target % tables.variant.files])
      if (!isFull(position, kind)) moves[at++] = encode(PROMOTION, kind, origin, target);
  }
  return at;
}

/** Has the side to move as many of a kind as promotion may make? @param {Position} position @param {number} kind */
function isFull({ tables, side, count }, kind) {
  const most = tables.limits[kind];
  if (!most) return false;
  const black = side * BLACK;
  const plain = tables.codes.unmarked[kind];
  return count[black + kind] + (plain === kind ? 0 : count[black + plain]) >= most;
}

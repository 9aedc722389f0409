/**
 * The start of a game: the variant's own, or one of its shuffled form, drawn as the server draws it (server/rules/shuffle).
 *
 * @import { VariantRules } from '../engine/rules/variant_rules.js'
 */
import { FILE_LETTERS } from '../engine/rules/variant_rules.js';

/** @param {VariantRules} variant with a shuffled form @param {() => number} random 0..1 @returns {string} FEN */
export function shuffledFen(variant, random) {
  const [placement, turn, , ...rest] = variant.startFen.split(' ');
  const [board, ...pocket] = placement.split(/(?=\[)/);
  const rows = board.split('/');
  const home = [...rows[rows.length - 1].toLowerCase()];
  do shuffle(home, random);
  while (!isAllowed(variant, home));
  const rook = variant.castling?.rook ?? '';
  const rights = FILE_LETTERS[home.lastIndexOf(rook)] + FILE_LETTERS[home.indexOf(rook)];
  const rank = home.join('');
  const rows960 = [rank, ...rows.slice(1, -1), rank.toUpperCase()].join('/');
  return [rows960 + pocket.join(''), turn, rights.toUpperCase() + rights, ...rest].join(' ');
}

/** Each order is equally likely. @param {string[]} list @param {() => number} random */
function shuffle(list, random) {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [list[last], list[other]] = [list[other], list[last]];
  }
}

/** Does the king stand between the rooks, and each pair on opposite colours? @param {VariantRules} variant @param {string[]} rank */
function isAllowed({ castling, roles, rules }, rank) {
  const rook = castling?.rook ?? '';
  const king = rank.findIndex(letter => roles[letter].royal);
  if (!(rank.indexOf(rook) < king && king < rank.lastIndexOf(rook))) return false;
  return rules.opposite.every(([one, other]) => (rank.indexOf(one) - rank.lastIndexOf(other)) % 2 !== 0);
}

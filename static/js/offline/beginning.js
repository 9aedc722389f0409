/**
 * How a game that is played offline begins: as an address asks for it, or as the next one after another. Pure but for chance
 * and the time.
 *
 * @import { VariantRules } from '../engine/rules/variant_rules.js'
 * @import { OfflineGame } from './game.js'
 */
import { opposite } from '../board/variant.js';
import { FILE_LETTERS } from '../engine/rules/variant_rules.js';

const ID_LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 10;
const LEVELS = 8;

/** Marks ids of games played offline: the server gives none like it to anything else. */
const OFFLINE = 'z';

/** An id as the server writes them, that no other game has. @returns {string} */
export function drawId() {
  const letters = [];
  while (letters.length < ID_LENGTH - 1) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    // Else the first letters would be likelier.
    if (byte < 4 * ID_LETTERS.length) letters.push(ID_LETTERS[byte % ID_LETTERS.length]);
  }
  return letters.join('') + OFFLINE;
}

/** What the server calls a game: ids drawn by an older script bear no mark. @param {string} id */
export const idThere = id => id.slice(0, -1) + OFFLINE;

/** @param {URLSearchParams} asked level, color, fen @param {VariantRules} rules @param {boolean} chess960 @returns {OfflineGame} */
export function begin(asked, rules, chess960) {
  const color = asked.get('color');
  const level = Number(asked.get('level'));
  return made(rules, chess960, {
    startFen: asked.get('fen') || startOf(rules, chess960),
    color: color === 'white' || color === 'black' ? color : Math.random() < 0.5 ? 'white' : 'black',
    level: Number.isInteger(level) && level >= 1 && level <= LEVELS ? level : 1,
  });
}

/** With the colours swapped; a shuffled start is not played twice. @param {OfflineGame} game @param {VariantRules} rules */
export const nextGame = ({ chess960, startFen, color, level }, rules) =>
  made(rules, chess960, {
    startFen: chess960 ? startOf(rules, chess960) : startFen,
    color: opposite(color),
    level,
  });

/** @param {VariantRules} rules @param {boolean} chess960 */
const startOf = (rules, chess960) => (chess960 ? shuffledFen(rules, Math.random) : rules.startFen);

/** @param {VariantRules} rules @param {boolean} chess960 @param {Pick<OfflineGame, 'startFen' | 'color' | 'level'>} how
 * @returns {OfflineGame} nobody has moved in it */
function made({ id }, chess960, how) {
  const now = Date.now();
  return {
    ...{ id: drawId(), rev: 0, address: id + (chess960 ? '960' : ''), variant: id, chess960, ...how },
    ...{ moves: [], ended: null, end: null, begun: now, played: now, refused: '' },
  };
}

// The start of a game: the variant's own, or one of its shuffled form, drawn as the server draws it (server/rules/shuffle).

/** @param {VariantRules} variant with a shuffled form @param {() => number} random 0..1 @returns {string} FEN */
export function shuffledFen(variant, random) {
  const [placement, turn, , ...rest] = variant.startFen.split(' ');
  const [board, ...pocket] = placement.split(/(?=\[)/);
  const rows = board.split('/');
  const [noWhite, noBlack] = variant.rules.kingless;
  const home = [...(noWhite ? rows[0] : rows[rows.length - 1]).toLowerCase()];
  do shuffle(home, random);
  while (!isAllowed(variant, home));
  const rook = variant.castling?.rook ?? '';
  const rights = FILE_LETTERS[home.lastIndexOf(rook)] + FILE_LETTERS[home.indexOf(rook)];
  const rank = home.join('');
  if (!noBlack) rows[0] = rank;
  if (!noWhite) rows[rows.length - 1] = rank.toUpperCase();
  const both = (noWhite ? '' : rights.toUpperCase()) + (noBlack ? '' : rights);
  return [rows.join('/') + pocket.join(''), turn, both, ...rest].join(' ');
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

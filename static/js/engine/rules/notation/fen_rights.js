/**
 * The third field of a FEN: castling, gating and first-move rights, as server/rules/notation/fen.py has them.
 *
 * Castling is KQkq in the standard game and file letters in the 960 form. After them come the files of unmoved first-rank
 * pieces that may gate; a castling right implies those of king and rook.
 *
 * @import { Position } from '../position.js'
 */
import { castlingKing } from '../castling.js';
import { BLACK } from '../pieces.js';
import { lift, put, setCastling, setGates } from '../position.js';
import { FILE_LETTERS } from '../variant_rules.js';

/** Thrown for a text that is no FEN of a position of the variant. */
export class InvalidFen extends Error {}

/** @param {Position} p with its pieces, pockets and kings @param {string} field Throws InvalidFen. */
export function parseRights(p, field) {
  const { codes, castling, homes, variant } = p.tables;
  if (field === '-') return;
  for (const side of [0, 1]) {
    const letters = [...field].filter(letter => (letter === letter.toLowerCase()) === (side === 1));
    const lower = letters.map(letter => letter.toLowerCase());
    if (codes.unmovedKing) {
      if (!lower.length) continue;
      if (lower.join('') !== variant.rules.firstMove || p.kings[side] !== homes[side])
        throw new InvalidFen(`"${field}" gives a first move to a king that has moved`);
      lift(p, homes[side]);
      put(p, homes[side], side * BLACK + codes.unmovedKing);
    } else if (castling) parseSide(p, lower, side);
    else if (lower.some(letter => letter !== 'k' && letter !== 'q'))
      throw new InvalidFen(`"${field}": this variant has no castling`);
  }
}

/** @param {Position} p @param {string[]} letters @param {number} side */
function parseSide(p, letters, side) {
  const { board, chess960, tables } = p;
  const { codes, firstRank, variant } = tables;
  const king = castlingKing(p, side);
  const spent = !p.held[side] && !variant.rules.captures;
  const bit = (/** @type {number} */ square) => 1 << (16 * side + (square % variant.files));
  const flagged = letters.filter(isFile).map(letter => firstRank[side] + FILE_LETTERS.indexOf(letter));
  let rights = 0;
  let gates = 0;
  for (const letter of letters) {
    if (letter === 'k' || letter === 'q') rights |= bit(castlingRook(p, letter === 'k', side));
    else if (!isFile(letter)) throw new InvalidFen(`"${letter}" is no castling right`);
  }
  for (const square of flagged) {
    const code = board[square];
    if (!variant.gates.length) rights |= bit(rookOn(p, square, side));
    else if (!code || code >> 7 !== side || codes.pawn[code]) throw new InvalidFen('nothing there may gate');
    else {
      gates |= bit(square);
      if (chess960 && isRook(p, square, side) && (flagged.includes(king) || spent))
        rights |= bit(rookOn(p, square, side));
    }
  }
  if (variant.gates.length) gates |= rights | (rights ? bit(king) : 0);
  setCastling(p, p.castling | rights);
  setGates(p, p.gates | (spent ? 0 : gates));

  /** @param {string} letter */
  function isFile(letter) {
    return FILE_LETTERS.slice(0, variant.files).includes(letter);
  }
}

/** @param {Position} p @param {number} square @param {number} side */
const isRook = (p, square, side) => p.board[square] === side * BLACK + (p.tables.castling?.rook ?? 0);

/** The outermost rook on that wing. @param {Position} p @param {boolean} kingSide @param {number} side */
function castlingRook(p, kingSide, side) {
  const { firstRank, variant } = p.tables;
  const king = castlingKing(p, side);
  const step = kingSide ? -1 : 1;
  const corner = firstRank[side] + (kingSide ? variant.files - 1 : 0);
  for (let square = corner; (king - square) * step > 0; square += step) {
    if (isRook(p, square, side)) return rookOn(p, square, side);
    if (!p.chess960) break;
  }
  throw new InvalidFen('there is no rook to castle with');
}

/** The square, if king and rook stand where castling is possible. @param {Position} p @param {number} square @param {number} side */
function rookOn(p, square, side) {
  const { castling, firstRank, variant } = p.tables;
  const king = castlingKing(p, side) - firstRank[side];
  const rook = square - firstRank[side];
  const atHome = p.chess960
    ? king >= 0 && king < variant.files
    : king === castling?.kingFrom && (rook === 0 || rook === variant.files - 1);
  const stands = p.board[king + firstRank[side]] === side * BLACK + (castling?.king ?? 0);
  if (!atHome || !stands || !isRook(p, square, side))
    throw new InvalidFen('king and rook are not where castling is possible');
  return square;
}

/** The rights field of a position; "-" if there are none. @param {Position} p @returns {string} */
export function writeRights(p) {
  const { codes, homes, variant } = p.tables;
  if (codes.unmovedKing) {
    const letter = variant.rules.firstMove;
    const has = (/** @type {number} */ side) => p.board[homes[side]] === side * BLACK + codes.unmovedKing;
    return (has(0) ? letter.toUpperCase() : '') + (has(1) ? letter : '') || '-';
  }
  return writeSide(p, 0).toUpperCase() + writeSide(p, 1) || '-';
}

/** @param {Position} p @param {number} side */
function writeSide(p, side) {
  const { firstRank, variant } = p.tables;
  const king = castlingKing(p, side) - firstRank[side];
  const castling = (p.castling >> (16 * side)) & 0xffff;
  const gates = (p.gates >> (16 * side)) & 0xffff;
  const implied = castling && !p.chess960 ? castling | (1 << king) : castling;
  let text = '';
  for (let file = variant.files - 1; file >= 0; file--)
    if ((castling >> file) & 1) text += p.chess960 ? FILE_LETTERS[file] : file > king ? 'k' : 'q';
  for (let file = 0; file < variant.files; file++) if (((gates & ~implied) >> file) & 1) text += FILE_LETTERS[file];
  return text;
}

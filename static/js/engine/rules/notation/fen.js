/**
 * Reads and writes positions as FEN, as the server does: server/rules/notation/fen.py.
 *
 * @import { Tables } from '../tables.js'
 */
import { isAttacked } from '../attacks.js';
import { mayTakeEnPassant } from '../en_passant.js';
import {
  changePocket,
  lift,
  Position,
  put,
  setCastling,
  setGates,
  setTakeable,
  setToCheck,
  turnSide,
} from '../position.js';
import { FILE_LETTERS, parseSquare, rankFor, squareName } from '../variant_rules.js';
import { castlingKing } from '../castling.js';
import { BLACK } from '../pieces.js';

/** The largest counter that is read, or written. */
const MOST_COUNTED = 9999;
/** Checks that each side still has to give, or with a plus in front those that it has given. */
const CHECKS = /^(\+?)(\d)\+(\d)$/;

/** @param {Tables} tables @param {string} text @param {boolean} [chess960] @returns {Position} Throws InvalidFen. */
export function parseFen(tables, text, chess960 = false) {
  const all = text.trim().split(/ +/);
  const fields = all.filter(field => !CHECKS.test(field));
  const [placement, turn, rights = '-', enPassant = '-', halfmoves = '0', fullmove = '1'] = fields;
  if (fields.length < 2 || fields.length > 6 || all.length > fields.length + 1)
    throw new InvalidFen(
      `a FEN has six fields${tables.endings.checks ? ', and a seventh for the checks to give' : ''}`,
    );
  if (turn !== 'w' && turn !== 'b') throw new InvalidFen(`"${turn}" is not w or b`);
  const position = new Position(tables, chess960);
  const [board, pocket = ''] = placement.replace(/\]$/, '').split('[');
  placePieces(position, board);
  fillPockets(position, pocket === '-' ? '' : pocket);
  findKings(position);
  if (turn === 'b') turnSide(position);
  parseRights(position, rights);
  position.enPassant = passed(position, enPassant);
  if (position.enPassant >= 0 && mayTakeEnPassant(position)) setTakeable(position, position.enPassant);
  setChecks(position, all.find(field => CHECKS.test(field)) ?? '');
  position.halfmoves = number(halfmoves);
  position.fullmove = Math.max(number(fullmove), 1);
  checkSanity(position);
  return position;
}

/** @param {Position} p @param {string} text */
function placePieces(p, text) {
  const { codes, variant } = p.tables;
  const rows = text.split('/');
  if (rows.length !== variant.ranks) throw new InvalidFen(`the board has ${variant.ranks} ranks, not ${rows.length}`);
  rows.reverse().forEach((row, rank) => {
    let file = 0;
    for (const token of row.match(/\+?[A-Za-z]~?|\d{1,2}|./g) ?? []) {
      const code = codes.bySymbol.get(token);
      if (code && file < variant.files) put(p, rank * variant.files + file++, code);
      else if (/^[1-9]/.test(token)) file += Number(token);
      else throw new InvalidFen(`"${token}" in ${row} is no piece of this variant, or stands beside the board`);
    }
    if (file !== variant.files) throw new InvalidFen(`the rank ${row} has not ${variant.files} squares`);
  });
}

/** @param {Position} p @param {string} text */
function fillPockets(p, text) {
  for (const letter of text) {
    const place = p.tables.variant.pocketRoles.indexOf(letter.toLowerCase());
    if (place < 0 || p.held[0] + p.held[1] > 250) throw new InvalidFen(`"${letter}" cannot be in a pocket`);
    changePocket(p, letter === letter.toLowerCase() ? 1 : 0, place, 1);
  }
}

/** @param {Position} p */
function findKings(p) {
  const { codes, pocketKinds, size } = p.tables;
  for (const side of [0, 1]) {
    let number = 0;
    for (let place = 0; place < p.roles; place++)
      if (codes.king[pocketKinds[place]]) number += p.pockets[side * p.roles + place];
    for (let square = 0; square < size; square++)
      if (codes.king[p.board[square]] && p.board[square] >> 7 === side) {
        number++;
        p.kings[side] = square;
      }
    if (number !== (p.tables.variant.rules.kingless[side] ? 0 : 1))
      throw new InvalidFen(`${side ? 'Black' : 'White'} has ${number} kings`);
  }
}

/** The en passant square, or -1 if no pawn attacks it. @param {Position} p @param {string} field */
function passed(p, field) {
  if (field === '-') return -1;
  const { behind, codes, doubles, takers, variant } = p.tables;
  const square = parseSquare(variant, field);
  const foe = 1 - p.side;
  if (square < 0 || !doubles[foe].some((target, origin) => target >= 0 && (target + origin) >> 1 === square))
    throw new InvalidFen(`no pawn can have passed "${field}"`);
  const pawn = p.board[square + behind[p.side]];
  if (!codes.pawn[pawn] || pawn >> 7 === p.side) return -1;
  const list = takers[p.side][square] ?? [];
  return list.some((origin, nth) => nth % 2 === 0 && p.board[origin] === list[nth + 1]) ? square : -1;
}

/** @param {string} field */
function number(field) {
  if (!/^\d{1,4}$/.test(field)) throw new InvalidFen(`"${field}" is not a number of moves`);
  return Number(field);
}

/** @param {Position} p @param {string} field */
function setChecks(p, field) {
  const most = p.tables.endings.checks;
  const [, given, ...counts] = CHECKS.exec(field) ?? ['', '', most, most];
  counts.forEach((count, side) => {
    const left = given ? most - Number(count) : Number(count);
    if (left < 0 || left > most) throw new InvalidFen(`${field} are no checks to give`);
    setToCheck(p, side, left);
  });
}

/** @param {Position} p */
function checkSanity(p) {
  const { codes, promotions, size, variant } = p.tables;
  for (let square = 0; square < size; square++) {
    const code = p.board[square];
    if (codes.pawn[code] && promotions[code]?.forced[square])
      throw new InvalidFen(`a pawn on ${squareName(variant, square)}, on rank ${rankFor(variant, square, code >> 7)}`);
  }
  const king = p.kings[1 - p.side];
  if (!variant.rules.takeableKing && king >= 0 && isAttacked(p, king, p.side, -1))
    throw new InvalidFen('the side that has just moved is in check');
}

/** @param {Position} p @returns {string} */
export function writeFen(p) {
  const { variant } = p.tables;
  const enPassant = p.enPassant < 0 ? '-' : squareName(variant, p.enPassant);
  const turn = p.side ? 'b' : 'w';
  const counted = `${Math.min(p.halfmoves, MOST_COUNTED)} ${Math.min(p.fullmove, MOST_COUNTED)}`;
  const checks = p.tables.endings.checks ? `${p.toCheck[0]}+${p.toCheck[1]} ` : '';
  return `${writeBoard(p)}${writePockets(p)} ${turn} ${writeRights(p)} ${enPassant} ${checks}${counted}`;
}

/** @param {Position} p */
function writeBoard(p) {
  const { codes, variant } = p.tables;
  const rows = [];
  for (let rank = variant.ranks - 1; rank >= 0; rank--) {
    let row = '';
    for (let file = 0; file < variant.files; file++) row += codes.symbols[p.board[rank * variant.files + file]];
    rows.push(row.replace(/ +/g, blanks => String(blanks.length)));
  }
  return rows.join('/');
}

/** @param {Position} p */
function writePockets({ tables: { variant }, pockets, roles }) {
  if (!roles) return '';
  const white = variant.pocketRoles.map((role, place) => role.toUpperCase().repeat(pockets[place]));
  const black = variant.pocketRoles.map((role, place) => role.repeat(pockets[roles + place]));
  return `[${[...white, ...black].join('')}]`;
}

// The third field of a FEN: castling, gating and first-move rights, as server/rules/notation/fen.py has them.
//
// Castling is KQkq in the standard game and file letters in the 960 form. After them come the files of unmoved first-rank
// pieces that may gate; a castling right implies those of king and rook.

/** Thrown for a text that is no FEN of a position of the variant. */
export class InvalidFen extends Error {}

/** @param {Position} p with its pieces, pockets and kings @param {string} field Throws InvalidFen. */
function parseRights(p, field) {
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
function writeRights(p) {
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

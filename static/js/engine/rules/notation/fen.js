/**
 * Reads and writes positions as FEN, as the server does: server/rules/notation/fen.py.
 *
 * @import { Tables } from '../tables.js'
 */
import { isAttacked } from '../attacks.js';
import { mayTakeEnPassant } from '../en_passant.js';
import { InvalidFen, parseRights, writeRights } from './fen_rights.js';
import { changePocket, Position, put, setTakeable, setToCheck, turnSide } from '../position.js';
import { parseSquare, rankFor, squareName } from '../variant_rules.js';

export { InvalidFen };

/** The largest counter that is read, or written. */
const MOST_COUNTED = 9999;
/** Checks that each side still has to give, or with a plus in front those that it has given. */
const CHECKS = /^(\+?)(\d)\+(\d)$/;

/** @param {Tables} tables @param {string} text @param {boolean} [chess960] @returns {Position} Throws InvalidFen. */
export function parseFen(tables, text, chess960 = false) {
  const all = text.trim().split(/ +/);
  const fields = all.filter(field => !CHECKS.test(field));
  const [placement, turn, rights, enPassant = '-', halfmoves = '0', fullmove = '1'] = fields;
  if (fields.length < 3 || fields.length > 6) throw new InvalidFen('a FEN has six fields');
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

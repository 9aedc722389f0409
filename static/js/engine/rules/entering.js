/**
 * Pieces that come in from the pocket: drops, drops in a set-up phase, and gating behind a piece that moves.
 *
 * @import { Position } from './position.js'
 */
import { found } from './attacks.js';
import { DROP, encode, GATE, originOf, STEP, targetOf, typeOf } from './moves.js';
import { BLACK } from './pieces.js';
import { isDark } from './variant_rules.js';

/** Drops on empty squares; in check on those that meet it. @param {Position} p @param {number} start @returns {number} the end of the moves */
export function addDrops(p, start) {
  const { board, moves, side, tables } = p;
  let end = start;
  for (let place = 0; place < p.roles; place++) {
    if (!p.pockets[side * p.roles + place]) continue;
    const drop = encode(DROP, tables.pocketKinds[place], 0, 0);
    const zone = tables.dropZones[side][place];
    for (let nth = 0; nth < zone.length; nth++) {
      const square = zone[nth];
      if (board[square] === 0 && (found.checks === 0 || found.answers[square] === found.checks))
        moves[end++] = drop | square;
    }
  }
  return end;
}

/** Every plain move from a square with a gating right, with each piece that may be gated. @param {Position} p @param {number} base @param {number} start @returns {number} the end */
export function addGatings(p, base, start) {
  const { gates, moves, side, tables } = p;
  let end = start;
  for (let at = base; at < start; at++) {
    const move = moves[at];
    const origin = originOf(move);
    if (typeOf(move) !== STEP || !(gates & ~tables.keep[origin])) continue;
    for (const kind of tables.gateKinds)
      if (p.pockets[side * p.roles + tables.pocketKinds.indexOf(kind)])
        moves[end++] = encode(GATE, kind, origin, targetOf(move));
  }
  return end;
}

/**
 * The drops after which every pair can still be placed on opposite colours. There are no checks while the armies are set
 * up behind their pawns.
 * @param {Position} p @param {number} start @returns {number} the end of the moves
 */
export function addSetupDrops(p, start) {
  const { board, side, tables } = p;
  const pairs = tables.paired.flatMap((paired, place) => (paired ? [place] : []));
  let end = start;
  for (let place = 0; place < p.roles; place++) {
    if (!p.pockets[side * p.roles + place]) continue;
    for (const square of tables.dropZones[side][place]) {
      if (board[square]) continue;
      if (tables.paired[place] && !wanted(p, place).has(isDark(tables.variant, square))) continue;
      if (pairs.every(pair => canComplete(p, pair, place, square)))
        p.moves[end++] = encode(DROP, tables.pocketKinds[place], 0, square);
    }
  }
  return end;
}

/** The square colours (true = dark) that the pieces of a pair in the pocket still need. @param {Position} p @param {number} place */
function wanted(p, place) {
  const { board, side, tables } = p;
  if (!p.pockets[side * p.roles + place]) return new Set();
  const colors = new Set([true, false]);
  const code = side * BLACK + tables.pocketKinds[place];
  for (let square = 0; square < tables.size; square++)
    if (board[square] === code) colors.delete(isDark(tables.variant, square));
  return colors;
}

/** Is there a free square of each colour that a pair still needs after a drop? @param {Position} p @param {number} pair @param {number} place @param {number} target */
function canComplete(p, pair, place, target) {
  const { board, side, tables } = p;
  const needs = wanted(p, pair);
  if (pair === place) needs.delete(isDark(tables.variant, target));
  for (const square of tables.dropZones[side][pair])
    if (!board[square] && square !== target) needs.delete(isDark(tables.variant, square));
  return needs.size === 0;
}

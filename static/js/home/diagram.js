/**
 * A small board with one piece and the squares it reaches, from the movement data that the server sends.
 * Knows no page.
 *
 * @typedef {import('../board/variant.js').Variant} Variant
 * @typedef {import('../board/position.js').Position} Position
 */
import { toLibraryRole, toSquare, toXY } from '../board/geometry.js';
import { dropZone, reach } from '../board/movement.js';
import { Overlay } from '../board/overlay.js';
import { parseFen } from '../board/position.js';
import { isRoyal, nameOf } from '../board/variant.js';

/** Squares a side: enough for every leap and to see which way a rider runs; a whole large board would be too small. */
const WINDOW = 9;

/** The lower left corner of the board as a board of its own. @param {Variant} variant @returns {Variant} */
const cornerOf = variant => ({
  ...variant, files: Math.min(variant.files, WINDOW), ranks: Math.min(variant.ranks, WINDOW),
});

/**
 * Where the piece is shown: in the middle, or on its first square if some of its moves start only there.
 * @param {Variant} variant @param {string} role @param {Position} start
 */
function squareFor(variant, role, start) {
  const fromHome = variant.roles[role].moves.some(({ ranks, unmoved }) => ranks || unmoved);
  const home = [...start.pieces].filter(([, piece]) => piece.role === role && piece.color === 'white').map(([at]) => at);
  const middle = Math.ceil(variant.files / 2) - 1;
  if (fromHome && home.length) return home.find(at => toXY(at)[0] === middle) ?? home[0];
  return toSquare(middle, Math.ceil(variant.ranks / 2) - 1);
}

/** @param {Variant} variant @param {string} role */
function reachFrom(variant, role) {
  const start = parseFen(variant.startFen);
  const square = squareFor(variant, role, start);
  const position = { ...start, pieces: new Map([[square, { role, color: /** @type {const} */ ('white'), promoted: false }]]) };
  /** @type {Set<string>} */
  const peaceful = new Set();
  const squares = reach(variant, position, square, (target, mode) => {
    if (mode !== 'capture') peaceful.add(target);
    return { stop: true, pass: true };
  });
  return { square, squares, captures: squares.filter(target => !peaceful.has(target)) };
}

/** What the diagram cannot show. @param {Variant} variant @param {string} role */
function wordsOn(variant, role) {
  const words = [];
  if (isRoyal(variant, role)) words.push('Royal: whoever cannot save it loses.');
  const promotion = variant.promotion[role];
  const kinds = [...new Set(promotion?.byFile ?? promotion?.to ?? [])].map(kind => nameOf(variant, kind));
  if (kinds.length) words.push(`Promotes to ${kinds.join(', ')}.`);
  const zone = variant.drops?.[role] && dropZone(variant, 'white', role).length;
  if (zone && zone < variant.files * variant.ranks) words.push(`Dropped on its own ranks ${rangeOf(variant, role)}.`);
  return words.join(' ');
}

/** @param {Variant} variant @param {string} role */
function rangeOf(variant, role) {
  const ranks = variant.drops?.[role].ranks ?? [];
  return ranks.length > 1 ? `${Math.min(...ranks)} to ${Math.max(...ranks)}` : String(ranks[0]);
}

/**
 * @param {Variant} variant @param {string} role a key of variant.roles
 * @returns {HTMLLIElement}
 */
export function pieceDiagram(variant, role) {
  const corner = cornerOf(variant);
  const { square, squares, captures } = reachFrom(corner, role);
  const item = document.createElement('li');
  item.className = 'diagram';
  const board = document.createElement('div');
  board.className = 'board diagram-board';
  board.setAttribute('aria-hidden', 'true');
  board.style.setProperty('--files', String(corner.files));
  board.style.setProperty('--ranks', String(corner.ranks));
  const overlay = new Overlay(corner, () => true);
  overlay.attach(board);
  overlay.showHint({ squares, captures, start: null, text: '' });
  const piece = document.createElement('piece');
  piece.className = `${toLibraryRole(role)} white`;
  const [x, y] = toXY(square);
  piece.style.left = `${(x * 100) / corner.files}%`;
  piece.style.bottom = `${(y * 100) / corner.ranks}%`;
  board.append(piece);
  const name = document.createElement('h3');
  name.textContent = `${nameOf(variant, role)} (${variant.roles[role].san})`;
  const words = document.createElement('p');
  words.textContent = wordsOn(variant, role);
  item.append(board, name, words);
  return item;
}

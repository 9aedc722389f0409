/** The position as a table of words, for who reads it with a screen reader or by touch.
 *
 * @typedef {import('../board/position.js').Position} Position
 * @typedef {import('../board/variant.js').Variant} Variant
 */
import { toSquare } from '../board/geometry.js';
import { nameOf, pieceWords } from '../board/variant.js';
import { t } from '../words.js';
import { textElement } from './page.js';

/**
 * @param {HTMLElement} place @param {Variant} variant @param {Position} position
 */
export function renderTextBoard(place, variant, position) {
  const table = document.createElement('table');
  table.append(textElement('caption', t('board.caption')));
  const head = document.createElement('tr');
  head.append(textElement('th', t('board.rank')));
  for (let x = 0; x < variant.files; x++) head.append(columnHead(toSquare(x, 0)[0]));
  table.append(head);
  for (let y = variant.ranks - 1; y >= 0; y--) {
    const row = document.createElement('tr');
    row.append(textElement('th', String(y + 1)));
    for (let x = 0; x < variant.files; x++) {
      const piece = position.pieces.get(toSquare(x, y));
      row.append(textElement('td', piece ? pieceWords(variant, piece) : ''));
    }
    table.append(row);
  }
  const hands = variant.pocketRoles.length ? [handOf(variant, position, 'white'), handOf(variant, position, 'black')] : [];
  place.replaceChildren(table, ...hands);
}

/** @param {string} file */
function columnHead(file) {
  const head = textElement('th', file);
  head.setAttribute('scope', 'col');
  return head;
}

/** @param {Variant} variant @param {Position} position @param {'white' | 'black'} color */
function handOf(variant, position, color) {
  const held = [...position.pockets[color]].filter(([, count]) => count > 0);
  const pieces = held.map(([role, count]) => `${count} ${nameOf(variant, role)}`).join(', ') || t('board.nothing');
  return textElement('p', t(color === 'white' ? 'board.in_white_hand' : 'board.in_black_hand', { pieces }));
}

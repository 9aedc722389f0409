/**
 * The position as a table of words, for people who use a screen reader.
 *
 * @import { Position } from '../../board/position.js'
 * @import { Color, Variant } from '../../board/variant.js'
 */
import { toSquare } from '../../board/geometry.js';
import { mayGate } from '../../board/premove.js';
import { checksWords } from '../../board/position.js';
import { roleName, pieceWords } from '../../board/variant.js';
import { t } from '../../words.js';
import { create } from '../dom.js';

/** @type {WeakMap<HTMLElement, Position>} what each table describes, so that it is made anew only when that changes */
const described = new WeakMap();

/** @param {HTMLElement} place @param {Variant} variant @param {Position} position */
export function renderTextBoard(place, variant, position) {
  if (described.get(place) === position) return;
  described.set(place, position);
  const head = create('tr', '', header(t('board.rank'), 'col'));
  for (let x = 0; x < variant.files; x++) head.append(header(toSquare(x, 0)[0], 'col'));
  const table = create('table', '', create('caption', '', t('board.caption')), head);
  for (let y = variant.ranks - 1; y >= 0; y--) {
    const row = create('tr', '', header(String(y + 1), 'row'));
    for (let x = 0; x < variant.files; x++) {
      const piece = position.pieces.get(toSquare(x, y));
      row.append(create('td', '', piece ? pieceWords(variant, piece) : ''));
    }
    table.append(row);
  }
  const lines = /** @type {const} */ (['white', 'black']).flatMap(color => [
    ...(variant.pocketRoles.length ? [pocketOf(variant, position, color)] : []),
    ...(variant.gates.length ? [gatesOf(variant, position, color)] : []),
    ...[checksWords(variant, position, color)].filter(Boolean),
  ]);
  if (variant.goal) lines.unshift(variant.goal);
  place.replaceChildren(table, ...lines.map(line => create('p', '', line)));
}

/** @param {string} text @param {'row' | 'col'} scope */
function header(text, scope) {
  return Object.assign(create('th', '', text), { scope });
}

/** The number comes after the name, so that no plural is needed. @param {Variant} variant @param {Position} position @param {Color} color */
function pocketOf(variant, position, color) {
  const held = [...position.pockets[color]].filter(([, n]) => n > 0);
  const pieces = held.map(([role, n]) =>
    n > 1 ? t('board.several', { piece: roleName(variant, role), n }) : roleName(variant, role),
  );
  return t(color === 'white' ? 'board.in_white_pocket' : 'board.in_black_pocket', {
    pieces: pieces.join(', ') || t('board.nothing'),
  });
}

/** @param {Variant} variant @param {Position} position @param {Color} color */
function gatesOf(variant, position, color) {
  const squares = [...position.pieces].filter(
    ([square, piece]) => piece.color === color && mayGate(variant, position, square),
  );
  const list =
    squares
      .map(([square]) => square)
      .sort()
      .join(', ') || t('board.nowhere_to_gate');
  return t(color === 'white' ? 'board.white_gates' : 'board.black_gates', { squares: list });
}

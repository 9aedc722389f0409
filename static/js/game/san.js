/**
 * Moves as words: SAN for the ear. Knows letters only from the variant's data.
 *
 * @typedef {import('../board/variant.js').Variant} Variant
 */
import { nameOf } from '../board/variant.js';

/** @param {Variant} variant @param {string} letter as SAN writes it @returns {string} the name of the kind */
function kindOf(variant, letter) {
  const found = Object.entries(variant.roles).find(([, { san }]) => san === letter);
  return found ? nameOf(variant, found[0]) : letter;
}

/**
 * @param {Variant} variant @param {string} san
 * @returns {string} "knight takes f 3, check"
 */
export function speakSan(variant, san) {
  const end = san.endsWith('#') ? ', mate' : san.endsWith('+') ? ', check' : '';
  const [move, gate] = san.replace(/[+#]$/, '').split('/');
  const gated = gate ? `, ${kindOf(variant, gate[0])} enters${gate.length > 1 ? ` on ${spaced(gate.slice(1))}` : ''}` : '';
  return castlingWords(move) + (castlingWords(move) ? '' : moveWords(variant, move)) + gated + end;
}

/** @param {string} move */
const castlingWords = move => ({ 'O-O': 'castles king side', 'O-O-O': 'castles queen side' })[move] ?? '';

/** @param {string} square */
const spaced = square => square.replace(/([a-z])(\d+)/, '$1 $2');

/** @param {Variant} variant @param {string} move */
function moveWords(variant, move) {
  const found = /^([A-Z]?)(@?)([a-p]?\d*)(x?)([a-p]\d+)(?:=([A-Z]))?$/.exec(move);
  if (!found) return move;
  const [, letter, drop, from, takes, to, becomes] = found;
  const words = [letter ? kindOf(variant, letter) : '', spaced(from), drop ? 'drops on' : '', takes ? 'takes' : '', spaced(to)];
  return words.filter(Boolean).join(' ') + (becomes ? ` becomes ${kindOf(variant, becomes)}` : '');
}

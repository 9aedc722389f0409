/**
 * Moves in words: SAN to be read aloud. Knows letters only from the variant's data.
 *
 * @import { Variant } from '../board/variant.js'
 */
import { roleName } from '../board/variant.js';
import { t } from '../words.js';

/** @param {Variant} variant @param {string} letter in SAN @returns {string} the name of the piece */
function kindOf(variant, letter) {
  const found = Object.entries(variant.roles).find(([, { san }]) => san === letter);
  return found ? roleName(variant, found[0]) : letter;
}

/** @param {Variant} variant @param {string} san @returns {string} "knight takes f 3, check" */
export function speakSan(variant, san) {
  const end = san.endsWith('#') ? t('board.mate') : san.endsWith('+') ? t('board.check') : '';
  const [move, gate] = san.replace(/[+#]$/, '').split('/');
  const gated = gate ? gateWords(kindOf(variant, gate[0]), gate.slice(1)) : '';
  return [CASTLING[move] ? t(CASTLING[move]) : moveWords(variant, move), gated, end].filter(Boolean).join(', ');
}

/** @type {Record<string, string>} */
const CASTLING = { 'O-O': 'board.castles_king', 'O-O-O': 'board.castles_queen' };

/** @param {string} piece @param {string} square '' if only one is possible */
const gateWords = (piece, square) =>
  square ? t('board.enters_on', { piece, square: spaced(square) }) : t('board.enters', { piece });

/** @param {string} square */
const spaced = square => square.replace(/([a-z])(\d+)/, '$1 $2');

/** @param {Variant} variant @param {string} move */
function moveWords(variant, move) {
  const found = /^([A-Z]?)(@?)([a-p]?\d*)(x?)([a-p]\d+)(?:=([A-Z]))?$/.exec(move);
  if (!found) return move;
  const [, letter, drop, from, takes, to, becomes] = found;
  const words = [
    letter ? kindOf(variant, letter) : '',
    spaced(from),
    drop ? t('board.drops_on') : '',
    takes ? t('board.takes') : '',
    spaced(to),
  ];
  return (
    words.filter(Boolean).join(' ') + (becomes ? ` ${t('board.becomes', { piece: kindOf(variant, becomes) })}` : '')
  );
}

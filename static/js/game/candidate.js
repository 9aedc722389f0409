/**
 * A legal move, taken apart into what SAN says about it. Judges nothing: the server has called the move legal.
 *
 * @import { Position } from '../board/position.js'
 * @import { Variant } from '../board/variant.js'
 *
 * @typedef {object} Candidate   a legal move, taken apart
 * @property {string} uci
 * @property {string} role   the moving kind; '' if the board has no such piece
 * @property {string} letter   of the moving piece in SAN
 * @property {boolean} pawn
 * @property {string | null} from
 * @property {string} to
 * @property {boolean} drop
 * @property {string} becomes   SAN letter, '' when nothing promotes
 * @property {string} gated   SAN letter, '' when nothing enters
 * @property {string | null} gate   square
 * @property {0 | 1 | null} castles   king side, queen side
 */
import { becomes } from '../board/gestures.js';
import { castlingOf, isGate, parseUci } from '../board/position.js';

/** @param {Variant} variant @param {Position} position @param {string} uci @returns {Candidate} */
export function candidateOf(variant, position, uci) {
  const move = parseUci(uci);
  const role = (move.from ? position.pieces.get(move.from)?.role : move.drop) ?? '';
  const gated = isGate(variant, role, move.suffix);
  const castling = castlingOf(variant, position.pieces, move);
  const sanOf = (/** @type {string | null} */ kind) => (kind ? (variant.roles[kind]?.san ?? kind.toUpperCase()) : '');
  return {
    uci,
    role,
    letter: sanOf(role),
    pawn: variant.roles[role]?.pawn ?? false,
    from: move.from,
    to: move.to,
    drop: move.drop !== null,
    becomes: gated ? '' : sanOf(becomes(role, move.suffix)),
    gated: gated ? sanOf(move.suffix) : '',
    gate: gated ? move.from : null,
    castles: castling?.side ?? null,
  };
}

/**
 * Writes a legal move as SAN, as the server will (rules/notation/san), but without a check mark: whether a move gives
 * check takes rules to know.
 *
 * @import { Position } from '../board/position.js'
 * @import { Variant } from '../board/variant.js'
 * @import { Candidate } from './candidate.js'
 */
import { candidateOf } from './candidate.js';

/**
 * @param {string} uci one of `legal` @param {Variant} variant @param {Position} position before the move
 * @param {string[]} legal UCI
 * @returns {string} "Nbd2", "exd5", "a8=Q", "P@e4", "O-O/He1"
 */
export function writeMove(uci, variant, position, legal) {
  const move = candidateOf(variant, position, uci);
  if (move.drop) return `${move.letter}@${move.to}`;
  const gated = move.gated && `/${move.gated}`;
  if (move.castles !== null) return (move.castles ? 'O-O-O' : 'O-O') + gated + (gated && move.gate);
  const becomes = move.becomes && `=${move.becomes}`;
  if (move.pawn) return `${aside(move) ? `${move.from?.[0]}x` : ''}${move.to}${becomes}${gated}`;
  const takes = position.pieces.has(move.to) ? 'x' : '';
  const others = legal.map(other => candidateOf(variant, position, other)).filter(other => isLike(other, move));
  return `${move.letter}${originOf(move, others)}${takes}${move.to}${becomes}${gated}`;
}

/** @param {Candidate} move whether a pawn leaves its file */
const aside = ({ from, to }) => from?.[0] !== to[0];

/** Whether another piece of this kind has the same move. @param {Candidate} other @param {Candidate} move */
const isLike = (other, move) =>
  other.from !== null &&
  other.from !== move.from &&
  other.castles === null &&
  other.role === move.role &&
  other.to === move.to &&
  other.becomes === move.becomes &&
  other.gated === move.gated;

/** The file, else the rank, else the square, as far as is needed to tell the piece from the others.
 * @param {Candidate} move @param {Candidate[]} others */
function originOf({ from }, others) {
  if (!from || !others.length) return '';
  if (others.every(other => other.from?.[0] !== from[0])) return from[0];
  if (others.every(other => other.from?.slice(1) !== from.slice(1))) return from.slice(1);
  return from;
}

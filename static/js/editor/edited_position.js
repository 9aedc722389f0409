/**
 * A position that somebody sets up, as a value: each change makes a new one. Whether it can arise in a game is the server's
 * to say. Knows no element and no rule but who a castling right or a first move belongs to.
 *
 * @import { Piece, Position } from '../board/position.js'
 * @import { Color, Variant } from '../board/variant.js'
 * @typedef {Pick<Position, 'pieces' | 'pockets' | 'turn'> & {rights: readonly string[]}} EditedPosition   rights: the letters
 *   of the FEN's castling field
 */
import { toSquare, toXY } from '../board/geometry.js';
import { formatBoard, isDisguised, outermostRook, parseFen } from '../board/position.js';
import { isRoyal } from '../board/variant.js';

/** No FEN of the server's has more of one piece in a pocket than a board has squares for. */
const MOST_IN_POCKET = 32;

/** @param {string} fen @returns {EditedPosition} */
export function editedPosition(fen) {
  const { pieces, pockets, turn, rights } = parseFen(fen);
  return { pieces, pockets, turn, rights: rights === '-' ? [] : [...rights] };
}

/** The position without a piece. @param {EditedPosition} position @returns {EditedPosition} */
export const emptied = ({ turn }) => ({
  pieces: new Map(),
  pockets: { white: new Map(), black: new Map() },
  turn,
  rights: [],
});

/**
 * The pieces that a side can have on its board. Where captures fill the pockets, a promoted pawn is a piece of its own.
 * @param {Variant} variant @param {Color} color @returns {Piece[]}
 */
export function placeable(variant, color) {
  const roles = Object.keys(variant.roles).map(role => ({ color, role, promoted: role.startsWith('+') }));
  if (!variant.pocket.split('+').includes('captures')) return roles;
  const made = new Set(Object.values(variant.promotion).flatMap(({ to }) => to));
  return [...roles, ...[...made].map(role => ({ color, role, promoted: true })).filter(isDisguised)];
}

/**
 * A piece put on a square, or taken from it. Whoever stands there now has moved, so no piece enters behind them.
 * @param {Variant} variant @param {EditedPosition} position @param {string} square @param {Piece | null} piece
 * @returns {EditedPosition}
 */
export function withPiece(variant, position, square, piece) {
  const pieces = new Map(position.pieces);
  if (piece) pieces.set(square, piece);
  else pieces.delete(square);
  const gone = variant.gates.length ? [homeFile(variant, square, 'white'), homeFile(variant, square, 'black')] : [];
  return { ...position, pieces, rights: position.rights.filter(letter => !gone.includes(letter)) };
}

/** @param {Variant} variant @param {EditedPosition} position @param {string} from @param {string} to @returns {EditedPosition} */
export function withMoved(variant, position, from, to) {
  const piece = position.pieces.get(from);
  if (!piece || from === to) return position;
  return withPiece(variant, withPiece(variant, position, from, null), to, piece);
}

/** @param {EditedPosition} position @param {Color} color @param {string} role @param {number} by @returns {EditedPosition} */
export function withInPocket(position, color, role, by) {
  const pocket = new Map(position.pockets[color]);
  pocket.set(role, Math.min(MOST_IN_POCKET, Math.max(0, (pocket.get(role) ?? 0) + by)));
  return { ...position, pockets: { ...position.pockets, [color]: pocket } };
}

/** @param {EditedPosition} position @param {string} letter @returns {EditedPosition} */
export const withRight = (position, letter) => ({
  ...position,
  rights: position.rights.includes(letter)
    ? position.rights.filter(one => one !== letter)
    : [...position.rights, letter],
});

/**
 * The rights that can be chosen: castling to either side, or a king's first move. Files from which a piece may still gate
 * are not chosen: they go with the pieces.
 * @param {Variant} variant @param {EditedPosition} position
 * @returns {{letter: string, can: boolean}[]} can: its pieces are in place
 */
export const choosableRights = (variant, position) =>
  [...new Set([...parseFen(variant.startFen).rights, ...position.rights])]
    .filter(letter => letter !== '-' && !isGateFile(variant, letter))
    .map(letter => ({ letter, can: isPossible(variant, position, letter) }));

/** @param {Variant} variant @param {EditedPosition} position @returns {string} at its first move, with nothing to take en passant */
export function formatFen(variant, position) {
  const order = [...parseFen(variant.startFen).rights];
  const rights = position.rights
    .filter(letter => isGateFile(variant, letter) || isPossible(variant, position, letter))
    .sort((a, b) => Number(a > 'Z') - Number(b > 'Z') || place(order, a) - place(order, b));
  const board = formatBoard(variant, position);
  const field = variant.pocket === 'none' ? board.slice(0, board.indexOf('[')) : board;
  return `${field} ${position.turn[0]} ${rights.join('') || '-'} - 0 1`;
}

/** @param {string[]} order @param {string} letter */
const place = (order, letter) => (order.includes(letter) ? order.indexOf(letter) : order.length);

/** @param {string} letter @returns {Color} */
const sideOf = letter => (letter > 'Z' ? 'black' : 'white');

/** @param {Variant} variant @param {Color} color the rank on which its pieces begin */
const homeRank = (variant, color) => (color === 'white' ? 0 : variant.ranks - 1);

/** The letter of the right that a piece of that side has on this square; '' if it is not on its first rank.
 * @param {Variant} variant @param {string} square @param {Color} color */
function homeFile(variant, square, color) {
  if (toXY(square)[1] !== homeRank(variant, color)) return '';
  return color === 'white' ? square[0].toUpperCase() : square[0];
}

/** @param {Variant} variant @param {string} letter */
const isGateFile = (variant, letter) => variant.gates.length > 0 && !/[kq]/i.test(letter);

/** @param {Variant} variant @param {EditedPosition} position @param {string} letter of a right to castle or of a first move */
function isPossible(variant, { pieces }, letter) {
  const color = sideOf(letter);
  const rank = homeRank(variant, color);
  const king = [...pieces].find(([, piece]) => piece.color === color && isRoyal(variant, piece.role))?.[0];
  if (!king) return false;
  if (!variant.castling) {
    const home = parseFen(variant.startFen).pieces.get(king);
    return home?.color === color && isRoyal(variant, home.role);
  }
  if (toXY(king)[1] !== rank) return false;
  if (/[kq]/i.test(letter)) return outermostRook(variant, pieces, king, /k/i.test(letter) ? 0 : 1) !== null;
  const rook = pieces.get(toSquare(letter.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0), rank));
  return rook?.color === color && rook.role === variant.castling.rook;
}

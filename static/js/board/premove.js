/**
 * Premoves and predrops: what a player may set while the opponent thinks. A piece may go wherever it could if the board
 * changed as they hope, over and onto any piece; the server's list of legal moves decides when it is their turn.
 *
 * @import { Option } from './gestures.js'
 * @import { Position } from './position.js'
 * @import { Color, Variant } from './variant.js'
 * @typedef {{from: string, to: string, option: Option}} Premove   from: a square or a drop such as "P@"
 */
import { toXY } from './geometry.js';
import { becomes } from './gestures.js';
import { dropZone, hasCastlingRights, reach } from './movement.js';
import { outermostRook } from './position.js';
import { isRoyal, relativeRank } from './variant.js';

/** @param {Variant} variant @param {Position} position @param {string} square @returns {string[]} */
export function premoveTargets(variant, position, square) {
  const free = reach(variant, position, square, () => ({ stop: true, pass: true }));
  return [...new Set([...free, ...castlingTargets(variant, position, square)])].filter(target => target !== square);
}

/** The king's castled squares and its rooks, while any right to castle is left.
 * @param {Variant} variant @param {Position} position @param {string} square */
function castlingTargets(variant, position, square) {
  const king = position.pieces.get(square);
  if (!variant.castling || !king || !isRoyal(variant, king.role) || !hasCastlingRights(position, king.color)) return [];
  const rank = square.slice(1);
  if (relativeRank(variant, king.color, Number(rank) - 1) !== 1) return [];
  const rooks = [...position.pieces].filter(
    ([at, piece]) => piece.role === variant.castling?.rook && piece.color === king.color && at.slice(1) === rank,
  );
  const [x] = toXY(square);
  return rooks.flatMap(([at]) => [at, variant.castling?.kingTo[toXY(at)[0] > x ? 0 : 1] + rank]);
}

/**
 * @param {Variant} variant @param {Position} position @param {Color} color @param {string} role
 * @returns {string[]} all but the squares of own pieces, which cannot get out of the way in time
 */
export const predropTargets = (variant, position, color, role) =>
  dropZone(variant, color, role).filter(square => position.pieces.get(square)?.color !== color);

/**
 * The pieces behind which a kind of the pocket may enter in a premove.
 * @param {Variant} variant @param {Position} position @param {Color} color @param {string} role
 * @returns {string[]} squares
 */
export const gatePremoves = (variant, position, color, role) =>
  heldToGate(variant, position, color).includes(role)
    ? [...position.pieces]
        .filter(([at, piece]) => piece.color === color && mayGate(variant, position, at))
        .map(([at]) => at)
    : [];

/** @param {Variant} variant @param {Position} position @param {Color} color @returns {string[]} kinds in the pocket that may gate */
export const heldToGate = (variant, position, color) => variant.gates.filter(role => position.pockets[color].get(role));

/**
 * What a premove can mean. If there are several options, the player chooses when they set it.
 * @param {Variant} variant @param {Position} position @param {string} from @param {string} to
 * @returns {Option[]}
 */
export function premoveOptions(variant, position, from, to) {
  const plain = { uci: '', suffix: '', gate: null, role: null };
  const piece = position.pieces.get(from);
  if (!piece) return [plain];
  const promotions = promotionOptions(variant, position, from, to);
  if (promotions) return promotions;
  return [plain, ...gateOptions(variant, position, from, to)];
}

/** @param {Variant} variant @param {Position} position @param {string} from @param {string} to
 * @returns {Option[] | null} null: the piece does not promote there */
function promotionOptions(variant, position, from, to) {
  const piece = position.pieces.get(from);
  const promotion = piece && variant.promotion[piece.role];
  if (!piece || !promotion) return null;
  /** @param {string} square */
  const rankOf = square => relativeRank(variant, piece.color, toXY(square)[1]);
  const touched =
    promotion.ranks.includes(rankOf(to)) || (promotion.when === 'touch' && promotion.ranks.includes(rankOf(from)));
  if (!touched) return null;
  const kinds = promotion.byFile ? [promotion.byFile[toXY(to)[0]]] : promotion.to;
  const options = kinds.map(kind => {
    const suffix = kind.startsWith('+') ? '+' : kind;
    return { uci: '', suffix, gate: null, role: becomes(piece.role, suffix) };
  });
  const mayStay = !promotion.forced.includes(rankOf(to));
  return mayStay ? [{ uci: '', suffix: '', gate: null, role: null }, ...options] : options;
}

/** @param {Variant} variant @param {Position} position @param {string} from @param {string} to @returns {Option[]} */
function gateOptions(variant, position, from, to) {
  const piece = position.pieces.get(from);
  if (!variant.gates.length || !piece) return [];
  const target = position.pieces.get(to);
  const gates = [from];
  if (isRoyal(variant, piece.role)) {
    const side = toXY(to)[0] > toXY(from)[0] ? 0 : 1;
    if (target?.color === piece.color) gates.push(to);
    else if (Math.abs(toXY(to)[0] - toXY(from)[0]) > 1)
      gates.push(outermostRook(variant, position.pieces, from, side) ?? from);
  }
  const held = heldToGate(variant, position, piece.color);
  return [...new Set(gates)]
    .filter(gate => mayGate(variant, position, gate))
    .flatMap(gate => held.map(role => ({ uci: '', suffix: role, gate, role })));
}

/**
 * The squares of all pieces, of either side, that may still let one from their pocket in.
 * @param {Variant} variant @param {Position} position @returns {string[]}
 */
export function gatingSquares(variant, position) {
  if (!variant.gates.length) return [];
  return [...position.pieces]
    .filter(([at, { color }]) => heldToGate(variant, position, color).length && mayGate(variant, position, at))
    .map(([square]) => square);
}

/**
 * Whether the piece on a square may gate, having never moved: the castling field names its file, or its K or Q stands for
 * the king and that rook.
 * @param {Variant} variant @param {Position} position @param {string} square
 */
export function mayGate(variant, position, square) {
  const piece = position.pieces.get(square);
  if (!piece || relativeRank(variant, piece.color, toXY(square)[1]) !== 1) return false;
  const letter = piece.color === 'white' ? square[0].toUpperCase() : square[0];
  const [kingSide, queenSide] = piece.color === 'white' ? ['K', 'Q'] : ['k', 'q'];
  const has = (/** @type {string} */ right) => position.rights.includes(right);
  if (has(letter)) return true;
  if (isRoyal(variant, piece.role)) return has(kingSide) || has(queenSide);
  if (piece.role !== variant.castling?.rook) return false;
  const outermost = (/** @type {0 | 1} */ side) => {
    const king = [...position.pieces].find(([, other]) => other.color === piece.color && isRoyal(variant, other.role));
    return !!king && outermostRook(variant, position.pieces, king[0], side) === square;
  };
  return (has(kingSide) && outermost(0)) || (has(queenSide) && outermost(1));
}

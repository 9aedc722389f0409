/**
 * A move as one whole number: target (8 bits), origin (8), kind of piece (7), type (3).
 *
 * The kind is what a promotion makes, what is gated or what is dropped. In castling the origin is the king's square and
 * the target the rook's, wherever they end up.
 */
export const STEP = 0;
export const PROMOTION = 1;
export const GATE = 2;
export const DROP = 3;
export const CASTLE = 4;
/** Castling with a piece gated on the king's first square. */
export const CASTLE_GATE_KING = 5;
/** Castling with a piece gated on the rook's first square. */
export const CASTLE_GATE_ROOK = 6;

export const ORIGIN_SHIFT = 8;
const KIND_SHIFT = 16;
const TYPE_SHIFT = 23;
/** No legal move has this number: origin and target are the same. */
export const NO_MOVE = 0;

/** @param {number} move */
export const targetOf = move => move & 255;
/** @param {number} move */
export const originOf = move => (move >> ORIGIN_SHIFT) & 255;
/** @param {number} move */
export const kindOf = move => (move >> KIND_SHIFT) & 127;
/** @param {number} move */
export const typeOf = move => move >> TYPE_SHIFT;

/** @param {number} type @param {number} kind @param {number} origin @param {number} target */
export const encode = (type, kind, origin, target) =>
  (type << TYPE_SHIFT) | (kind << KIND_SHIFT) | (origin << ORIGIN_SHIFT) | target;

/**
 * Turns the server's list of legal moves into what a mouse or finger can do on the board: from which square to which, and
 * what is left to choose then (a promotion, a gated piece, neither). Adds no move and removes none.
 *
 * @import { Position, Uci } from './position.js'
 * @import { Variant } from './variant.js'
 *
 * @typedef {object} Option   one of the moves that a gesture can mean
 * @property {string} uci   '' for a premove, which becomes a move only when it is played
 * @property {string} suffix
 * @property {string | null} gate   the square on which a gated piece enters
 * @property {string | null} role   the kind of piece to show: what the piece promotes to or what enters; null: neither
 *
 * @typedef {Map<string, Map<string, Option[]>>} Gestures   origin -> destination -> what it can mean.
 *   An origin is a square or a drop such as "P@".
 */
import { castlingOf, isGate, parseUci } from './position.js';

// Pieces that enter from the pocket behind another one that moves: through which pieces they may, and what is left to do once
// one of them has been taken first. Judges nothing: on the player's turn the server's moves decide.

/** @param {Option} option @param {string} role */
const enters = ({ gate, suffix }, role) => gate !== null && suffix === role;

/** The options of one gesture with which that kind enters. @param {Option[]} options @param {string} role */
export const entering = (options, role) => options.filter(option => enters(option, role));

/** The pieces behind which that kind can enter now. @param {Gestures} gestures @param {string} role @returns {string[]} squares */
export const gatesFor = (gestures, role) =>
  [...gestures]
    .filter(([, fan]) => [...fan.values()].some(options => options.some(option => enters(option, role))))
    .map(([from]) => from);

/** The squares to which a piece can go so that this kind enters. @param {Gestures} gestures @param {string} from @param {string} role */
export const targetsWith = (gestures, from, role) =>
  [...(gestures.get(from) ?? [])].filter(([, options]) => entering(options, role).length).map(([to]) => to);

/** @param {string} role @returns {string} the origin of a drop */
export const dropOrigin = role => `${role.toUpperCase()}@`;

/** @param {Variant} variant @param {Position} position @param {string[]} legal UCI @returns {Gestures} */
export function gesturesOf(variant, position, legal) {
  /** @type {Gestures} */
  const gestures = new Map();
  /** @param {string} from @param {string} to @param {Option} option */
  const add = (from, to, option) => {
    const fan = gestures.get(from) ?? new Map();
    gestures.set(from, fan.set(to, [...(fan.get(to) ?? []), option]));
  };
  /** @type {{castling: NonNullable<ReturnType<typeof castlingOf>>, option: Option}[]} */
  const castlings = [];
  for (const uci of legal) {
    const move = parseUci(uci);
    const option = optionOf(variant, position, uci, move);
    const castling = castlingOf(variant, position.pieces, move);
    if (castling) castlings.push({ castling, option });
    else add(move.from ?? dropOrigin(move.drop ?? ''), move.to, option);
  }
  const plain = new Set([...gestures].flatMap(([from, fan]) => [...fan.keys()].map(to => from + to)));
  for (const { castling, option } of castlings)
    for (const to of castlingTargets(variant, castling))
      if (to !== castling.king && !plain.has(castling.king + to)) add(castling.king, to, option);
  return gestures;
}

/** The squares on which a player may drop the king to castle: the one it ends up on, and the rook's.
 * @param {Variant} variant @param {{king: string, rook: string | null, side: 0 | 1}} castling */
function castlingTargets(variant, { king, rook, side }) {
  const castled = variant.castling?.kingTo[side] + king.slice(1);
  return new Set(rook ? [castled, rook] : [castled]);
}

/** @param {Variant} variant @param {Position} position @param {string} uci @param {Uci} move @returns {Option} */
function optionOf(variant, position, uci, { from, suffix }) {
  const mover = from ? position.pieces.get(from) : undefined;
  const gate = mover && isGate(variant, mover.role, suffix) ? from : null;
  return { uci, suffix, gate, role: becomes(mover?.role ?? '', suffix) };
}

/** @param {string} role @param {string} suffix @returns {string | null} */
export const becomes = (role, suffix) => (suffix === '+' ? `+${role}` : suffix || null);

/**
 * The legal move that a premove stands for now that it can be played; null if it is illegal.
 * @param {Gestures} gestures @param {{from: string, to: string, option: Option}} premove
 * @returns {Option | null}
 */
export const matchPremove = (gestures, { from, to, option }) =>
  gestures
    .get(from)
    ?.get(to)
    ?.find(({ suffix, gate }) => suffix === option.suffix && gate === option.gate) ?? null;

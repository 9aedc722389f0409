/**
 * How exactly each side played, in whole and by phase, as one number from 0 to 100. The number is that of lichess
 * (lichess.org/page/accuracy): it is made of chances alone, so it means the same in every variant. The phases are told by what
 * is left and what has moved of the pieces with which the variant begins, so they fit boards of every size. Plain functions.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { Position } from '../board/position.js'
 * @typedef {'opening' | 'middlegame' | 'endgame'} Phase
 * @typedef {Partial<Record<Phase, number>> & {whole?: number}} Accuracy   from 0 to 100; none of what had no move
 */
import { parseFen } from '../board/position.js';

export const PHASES = /** @type {Phase[]} */ (['opening', 'middlegame', 'endgame']);
const SIDES = /** @type {const} */ (['white', 'black']);

/** Of the pieces (pawns and kings aside), so many are left at most when the opening is over, and when the endgame begins. */
const OPENED = 10 / 14;
const BARE = 6 / 14;

/** How exact a move is that loses so much of the chances, as lichess has fitted it. @param {number} loss from 0 to 1 */
const exactness = loss =>
  Math.max(0, Math.min(100, 103.1668100711649 * Math.exp(-4.354415386753951 * loss) - 2.166924740191411));

/**
 * @param {number[]} chances White's, from 0 to 1: one more than moves @param {number[]} losses of each move @param {Phase[]} phases of each move
 * @param {boolean} whiteBegins
 * @returns {Record<'white' | 'black', Accuracy>}
 */
export function accuracyOf(chances, losses, phases, whiteBegins) {
  const weights = weightsOf(chances);
  const moves = losses.map((loss, at) => ({
    exact: exactness(loss),
    weight: weights[at],
    phase: phases[at],
    side: (at % 2 === 0) === whiteBegins ? 'white' : 'black',
  }));
  const [white, black] = SIDES.map(side => {
    const own = moves.filter(move => move.side === side);
    const all = /** @type {[keyof Accuracy, typeof own][]} */ ([
      ['whole', own],
      ...PHASES.map(phase => [phase, own.filter(move => move.phase === phase)]),
    ]);
    return Object.fromEntries(all.filter(([, some]) => some.length).map(([name, some]) => [name, together(some)]));
  });
  return { white, black };
}

/** Between the mean, in which moves count more where the game is unsteady, and the harmonic mean, in which one blunder counts much.
 * @param {{exact: number, weight: number}[]} moves at least one */
function together(moves) {
  const sum = (/** @type {(move: {exact: number, weight: number}) => number} */ of) =>
    moves.reduce((total, move) => total + of(move), 0);
  const mean = sum(({ exact, weight }) => exact * weight) / sum(({ weight }) => weight);
  const harmonic = moves.length / sum(({ exact }) => 1 / Math.max(1, exact));
  return (mean + harmonic) / 2;
}

/** How unsteady the game was around each move: by how much the chances differed. @param {number[]} chances */
function weightsOf(chances) {
  const size = Math.max(2, Math.min(8, Math.floor((chances.length - 1) / 10)));
  return chances.slice(1).map((_, at) => {
    const from = Math.max(0, at + 2 - size);
    const some = chances.slice(from, from + size).map(share => 100 * share);
    const mean = some.reduce((sum, one) => sum + one, 0) / some.length;
    const spread = Math.sqrt(some.reduce((sum, one) => sum + (one - mean) ** 2, 0) / some.length);
    return Math.max(0.5, Math.min(12, spread));
  });
}

/**
 * The phase in which each move was made. The opening is over once a side has moved half of what stood there, pawns aside, or
 * pieces are gone; no phase comes back.
 * @param {Variant} variant @param {string[]} fens of the positions before the moves @returns {Phase[]}
 */
export function phasesOf(variant, fens) {
  const { roles } = variant;
  const count = (/** @type {Position} */ { pieces, pockets }) => {
    const held = SIDES.flatMap(side => [...pockets[side]]);
    const isPiece = (/** @type {string} */ role) => !roles[role]?.pawn && !roles[role]?.royal;
    return (
      [...pieces.values()].filter(({ role }) => isPiece(role)).length +
      held.reduce((sum, [role, number]) => sum + (isPiece(role) ? number : 0), 0)
    );
  };
  const whole = count(parseFen(variant.startFen));
  const begun = parseFen(fens[0] ?? variant.startFen);
  const homes = SIDES.map(side =>
    [...begun.pieces].filter(([, { role, color }]) => color === side && !roles[role]?.pawn),
  );
  /** A position that was set up with fewer pieces is no opening. @type {Phase} */
  let phase = count(begun) < whole ? 'middlegame' : 'opening';
  return fens.map(fen => {
    const now = parseFen(fen);
    const left = count(now);
    const moved = homes.some(home => {
      const still = home.filter(([square, { role, color }]) => {
        const there = now.pieces.get(square);
        return there?.role === role && there.color === color;
      });
      return home.length > 1 && 2 * still.length < home.length;
    });
    if (phase === 'opening' && (moved || left <= OPENED * whole)) phase = 'middlegame';
    if (whole && left <= BARE * whole) phase = 'endgame';
    return phase;
  });
}

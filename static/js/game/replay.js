/**
 * Replaying a finished game: what the clocks showed at a half-move, and how long each move took. Pure.
 *
 * @import { Side } from '../net/messages.js'
 * @import { GameState } from './model.js'
 * @typedef {number | 'played' | 'played-fast'} Pace   ms for each move, the time that it took, or a quarter of that
 */
import { moverOf } from './model.js';
import { isByDays } from './terms.js';

/** The clocks start once both players have moved, so it is unknown how long these moves took. */
const UNTIMED_PLIES = 2;
const UNTIMED_MS = 700;
const SHORTEST_MS = 120;
const DAY_MS = 24 * 60 * 60 * 1000;
const FAST = 4;

/**
 * @param {GameState} state @param {Side} side @param {number} ply half-moves made
 * @returns {number | null} ms on that clock then; null: such clocks keep nothing
 */
function leftAt(state, side, ply) {
  for (let index = Math.min(ply, state.plies.length) - 1; index >= 0; index--)
    if (moverOf(state, index) === side) return state.plies[index].left;
  return state.initial[side];
}

/**
 * The clocks that the seats show while somebody looks back through a finished game: as they stood then. A running game
 * shows the present clocks, one with days for each move the final ones, and an imported game without times none.
 * @param {GameState} state @param {number} ply @returns {GameState}
 */
export function clocksAt(state, ply) {
  if (!state.ended || state.days !== null) return state;
  if (state.plies.length && !hasMoveTimes(state)) return { ...state, clock: {} };
  if (ply === state.plies.length) return state;
  return {
    ...state,
    clock: { white: leftAt(state, 'white', ply) ?? undefined, black: leftAt(state, 'black', ply) ?? undefined },
  };
}

/** @param {GameState} state whether the times of the moves are known */
const hasMoveTimes = state => state.initial.white !== null && state.plies.some(({ left }) => left !== null);

/** @param {GameState} state whether it can be replayed as it was played: their times are known, and not days */
export const canKeepPace = state => hasMoveTimes(state) && !isByDays(state);

/**
 * @param {GameState} state @param {number} ply half-moves shown @param {Pace} pace
 * @returns {number} ms until the next one
 */
export function delayBefore(state, ply, pace) {
  if (typeof pace === 'number') return pace;
  const spent = timeTaken(state, ply) ?? UNTIMED_MS;
  return Math.max(SHORTEST_MS, pace === 'played' ? spent : spent / FAST);
}

/**
 * How long a move took, with all that it replaces. In games of earlier releases, moves made anew earned a second
 * increment, and may seem to give some back.
 * @param {GameState} state @param {number} index of a half-move
 * @returns {number | null} ms; null: it was not timed, or a full time bank does not tell
 */
export function timeTaken(state, index) {
  const side = moverOf(state, index);
  const before = state.days === null ? leftAt(state, side, index) : state.days * DAY_MS;
  const after = state.plies[index]?.left ?? null;
  if (index < UNTIMED_PLIES || before === null || after === null || after === state.cap) return null;
  return Math.max(0, before + state.increment[side] - after);
}

/** The half-move in an address such as /abcdefghij#p23. @param {string} text without the # @returns {number | null} */
export const plyFromHash = text => (/^p\d{1,4}$/.test(text) ? Number(text.slice(1)) : null);

/**
 * What whoever leaves the board of a game seeks next: the same game against somebody else. Kept in the tab from the page of
 * the game to the front page, which seeks it. Knows no element and no network.
 *
 * @import { GameState } from './model.js'
 * @typedef {{variants: string[], chess960: boolean, rated: boolean, clock: object, color: string}} Sought   as POST /api/seeks wants it
 */
import { tabStorage } from '../storage.js';

const KEY = 'seek-again';
const SECOND_MS = 1000;
const DAY_MS = 86_400 * SECOND_MS;

/** @param {GameState} state @param {string} variant id @returns {Sought | null} null: no seek is like that */
export function sameGame(state, variant) {
  const clock = clockOf(state);
  return clock && { variants: [variant], chess960: state.chess960, rated: state.rated, clock, color: 'random' };
}

/** @param {Sought | null} seek null: none */
export const keepSeek = seek => tabStorage.set(KEY, seek && JSON.stringify(seek));

/** What was kept; it is kept no longer. @returns {Sought | null} */
export function takeSeek() {
  const seek = tabStorage.json(KEY);
  if (seek) tabStorage.set(KEY, null);
  return seek;
}

/** @param {GameState} state @returns {object | null} null: without a clock, or with a different one for each side */
function clockOf({ days, cap, initial, increment }) {
  if (days !== null) return { kind: 'correspondence', days };
  if (initial.white === null || initial.white !== initial.black || increment.white !== increment.black) return null;
  const unit = cap === null ? SECOND_MS : DAY_MS;
  const terms = { initial: initial.white / unit, increment: increment.white / unit };
  return cap === null ? { kind: 'realtime', ...terms } : { kind: 'bank', ...terms, cap: cap / unit };
}

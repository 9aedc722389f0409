/**
 * A player whose opponent never came to a game waits for another one again. Whoever looks for opponents hears of it.
 *
 * @import { GameState } from '../game/model.js'
 */

/** @param {GameState} state of a game that is over */
export function lookForAnother({ ended, you, seats }) {
  if (ended?.reason !== 'expired' || !you) return;
  document.dispatchEvent(new CustomEvent('waited-in-vain', { detail: seats[you].id }));
}

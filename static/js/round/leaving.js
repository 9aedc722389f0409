/**
 * Leaving the board: the browser asks first if that could cost something, because one's clock runs and the opponent may soon
 * claim the game, or because a move is not sent yet. And the other pages of this site listen for a game that is left, also
 * for one that is over: the opponent may want another.
 *
 * @import { GameState } from '../game/model.js'
 */
import { opposite } from '../board/variant.js';
import { storeHasGames, storeLeftOver } from '../notifications/stored_games.js';

/** From then on the clocks run (server: games/status). */
const BEGUN_PLIES = 2;

/** Can the opponent claim the game if the reader stays away? The computer never does. @param {GameState} state */
const isAtStake = ({ you, status, days, cap, initial, plies, seats }) =>
  you !== null &&
  !seats[opposite(you)].level &&
  status === 'live' &&
  days === null &&
  cap === null &&
  initial[you] !== null &&
  plies.length >= BEGUN_PLIES;

/** @param {{state: () => GameState, hasUnsent: () => boolean}} options   hasUnsent: is something entered that is not sent yet? */
export function guardLeaving({ state, hasUnsent }) {
  addEventListener('beforeunload', event => {
    if (isAtStake(state()) || hasUnsent()) event.preventDefault();
  });
  addEventListener('pagehide', () => {
    const { you, ended } = state();
    if (isAtStake(state())) storeHasGames(true);
    if (you && ended) storeLeftOver();
  });
}

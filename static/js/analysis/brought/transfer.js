/**
 * Takes a game from the board of one variant to that of another, since an address has no room for comments on moves.
 * The next analysis page in the same tab receives it, once. Without storage, nothing is taken along.
 */
import { tabStorage } from '../../storage.js';

const KEY = 'analysis-pgn';

/** @param {string} pgn @returns {boolean} whether it was stored */
export const sendGame = pgn => tabStorage.set(KEY, pgn);

/** @returns {string | null} null: nothing was sent */
export function receiveGame() {
  const pgn = tabStorage.get(KEY);
  tabStorage.set(KEY, null);
  return pgn;
}

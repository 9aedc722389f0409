/**
 * A game on its way from the board of one variant to that of another, because an address has no room for notes on moves.
 * The next analysis page of the same tab takes it, once. A browser that stores nothing hands nothing over.
 */
import { tabStorage } from '../storage.js';

const KEY = 'analysis-pgn';

/** @param {string} pgn @returns {boolean} is it on its way? */
export const sendGame = pgn => tabStorage.set(KEY, pgn);

/** @returns {string | null} null: nothing is on its way */
export function receiveGame() {
  const pgn = tabStorage.get(KEY);
  tabStorage.set(KEY, null);
  return pgn;
}

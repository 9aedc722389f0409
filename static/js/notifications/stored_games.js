/**
 * What this browser remembers of its user's games, for all of its pages: whether any is being played, and which board is
 * in front of them.
 */
import { siteStorage } from '../storage.js';

const PLAYS = 'plays';
const IN_FRONT = 'board-in-front';

/** Whether this browser's user has running games, so that a page knows whether to listen for them. */
export const hasGames = () => siteStorage.get(PLAYS) !== null;

/** @param {boolean} plays */
export const storeHasGames = plays => siteStorage.set(PLAYS, plays ? '1' : null);

/** While the board of `game` is in front of the reader, no other page needs to notify them of it. @param {string} game */
export function trackBoardInFront(game) {
  const leave = () => {
    if (isBoardInFront(game)) siteStorage.set(IN_FRONT, null);
  };
  const say = () => {
    if (document.hidden) leave();
    else siteStorage.set(IN_FRONT, game);
  };
  document.addEventListener('visibilitychange', say);
  addEventListener('pagehide', leave);
  say();
}

/** @param {string} game */
export const isBoardInFront = game => siteStorage.get(IN_FRONT) === game;

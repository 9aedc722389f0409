/**
 * What this browser remembers of its user's games, for all of its pages: whether any is being played or was just left, and
 * which board is in front of them.
 */
import { siteStorage } from '../storage.js';

const PLAYS = 'plays';
const IN_FRONT = 'board-in-front';
const LEFT_OVER = 'left-over';
/** How long somebody who has left the board of a game that is over is told that the other would play again. */
const REMATCH_MS = 600_000;

/** Whether this browser's user has running games, or had one just now, so that a page knows whether to listen for them. */
export const hasGames = () =>
  siteStorage.get(PLAYS) !== null || Date.now() - Number(siteStorage.get(LEFT_OVER)) < REMATCH_MS;

/** A game that is over is left: its opponent may want another. */
export const storeLeftOver = () => siteStorage.set(LEFT_OVER, String(Date.now()));

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

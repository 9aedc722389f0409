/**
 * The links to a game that was made in this tab, from the page on which it was made to the game's own: the server gives
 * them out once only.
 *
 * @typedef {{link?: string, links?: Record<string, string>}} Links   one link, or one for each seat
 */
import { tabStorage } from '../storage.js';

/** @param {string} game id */
const key = game => `invite:${game}`;

/** @param {string} game @param {Links} links */
export const storeLinks = (game, links) => tabStorage.set(key(game), JSON.stringify(links));

/** @param {string} game @returns {Links | null} */
export const storedLinks = game => tabStorage.json(key(game));

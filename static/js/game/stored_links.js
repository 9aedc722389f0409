/**
 * The links to a game that was made in this tab, or the names of the two it is proposed to, from the page on which it was
 * made to the game's own: the server gives them out once only.
 *
 * @typedef {{link?: string, links?: Record<string, string>, asked?: string[], copied?: true}} Links   one link, one for
 *   each seat, or two names in the order they are asked; copied: the link is in the clipboard already
 */
import { tabStorage } from '../storage.js';

/** @param {string} game id */
const key = game => `invite:${game}`;

/** @param {string} game @param {Links} links */
export const storeLinks = (game, links) => tabStorage.set(key(game), JSON.stringify(links));

/** @param {string} game @returns {Links | null} */
export const storedLinks = game => tabStorage.json(key(game));

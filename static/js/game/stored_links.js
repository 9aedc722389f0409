/**
 * The links to the latest games that were made in this browser, or the names of the two each is proposed to, from the page on
 * which it was made to the game's own, however often that is opened: the server gives them out once only.
 *
 * @typedef {{link?: string, links?: Record<string, string>, asked?: string[]}} Links   one link, one for each seat, or two
 *   names in the order they are asked
 */
import { siteStorage, tabStorage } from '../storage.js';

const KEY = 'invites';
/** Of how many games; whose friend has come needs none. */
const MOST = 20;

/** By game, latest last. @returns {Record<string, Links>} */
const stored = () => siteStorage.json(KEY) ?? {};

/** @param {string} game @param {Links} links */
export function storeLinks(game, links) {
  const others = Object.entries(stored()).filter(([id]) => id !== game);
  siteStorage.set(KEY, JSON.stringify(Object.fromEntries([...others, [game, links]].slice(-MOST))));
}

/** @param {string} game @returns {Links | null} */
export const storedLinks = game => stored()[game] ?? null;

const COPIED = 'copied';

/** The link to that game is in the clipboard. What is there is known of the latest only, in the tab that has copied it. @param {string} game */
export const storeCopied = game => tabStorage.set(COPIED, game);

/** @param {string} game */
export const isCopied = game => tabStorage.get(COPIED) === game;

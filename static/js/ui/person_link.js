/** A person's name, which leads to their page if they have an account. Guests, the computer and deleted accounts have none. */
import { create, createLink } from './dom.js';
import { personName } from '../words.js';

/** What stands before the name of a bot. @param {unknown} bot @returns {(Node | string)[]} */
export const botTitle = bot => (bot ? [create('span', 'bot-title', 'BOT'), ' '] : []);

/** @param {string} name as stored @param {unknown} account whether they have one @param {unknown} [bot] whether they are one
 * @returns {Node} */
export function personLink(name, account, bot) {
  if (!account) return new Text(personName(name));
  return createLink('person-link', `/@/${encodeURIComponent(name)}`, ...botTitle(bot), name);
}

/** The same from the board of a game, which stays open. @param {string} name @param {unknown} account @param {unknown} bot */
export function personLinkAside(name, account, bot) {
  const made = personLink(name, account, bot);
  return made instanceof HTMLAnchorElement ? Object.assign(made, { target: '_blank', rel: 'noopener' }) : made;
}

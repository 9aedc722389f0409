/**
 * From the terms to a link: asks the server for a game, and keeps its link for the page of the game. Knows no form.
 *
 * @typedef {{id: string, url: string, link?: string, links?: Record<string, string>, asked?: string[]}} Created
 *   no link: a challenge by name; `asked`: the names of two others to whom it is proposed, in the order they are asked
 */
import { storeCopied, storeLinks } from '../game/stored_links.js';
import { requestJson } from '../net/requests.js';
import { copyWhenReady } from '../ui/copy.js';
import { t } from '../words.js';

/**
 * Makes a game and goes to its page.
 * @param {object} terms as POST /api/games wants them
 * @param {boolean} copies puts the link into the clipboard; browsers allow that only in a click
 * @throws {import('../net/requests.js').RequestFailed}
 */
export async function startGame(terms, copies) {
  /** @type {Promise<Created>} */
  const created = requestJson('/api/games', 'POST', terms, t('home.not_made'));
  const copying = copies && copyWhenReady(created.then(({ link = '' }) => link));
  const { id, url, link, links, asked } = await created;
  const copied = await copying;
  // The invitation box of the game's page gets the link's secret, or these names, in no other way.
  if (link || links || asked) storeLinks(id, { link, links, asked });
  if (link && copied) storeCopied(id);
  location.assign(url);
}

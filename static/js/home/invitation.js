/**
 * From the terms to a link: asks the server for a game, and keeps its link for the page of the game.
 * Knows the server's two answers (a game, or a code with a sentence); knows no form.
 *
 * @typedef {{id: string, url: string, link?: string, links?: Record<string, string>}} Created   no link: somebody was asked by name
 */
import { tabStorage } from '../storage.js';
import { t } from '../words.js';

/** What the server answered instead of making the game; the message is for the person. */
export class NotCreated extends Error {}

/**
 * @param {object} terms as POST /api/games wants them
 * @returns {Promise<Created>}
 * @throws {NotCreated}
 */
export async function createGame(terms) {
  const answer = await fetch('/api/games', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(terms),
  }).catch(() => {
    throw new NotCreated(t('home.unreachable'));
  });
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new NotCreated(content.message ?? t('home.not_made'));
  return content;
}

/**
 * For the invitation box of the game's page, which the link's secret reaches no other way.
 * @param {Created} game
 */
export function rememberInvitation({ id, link, links }) {
  if (link || links) tabStorage.set(`invite:${id}`, JSON.stringify({ link, links }));
}

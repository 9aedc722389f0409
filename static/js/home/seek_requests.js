/** What the front page asks of the server about seeks. Knows no element. */
import { t } from '../words.js';

/** What the server answered instead; the message is for the person. */
export class RequestFailed extends Error {}

/**
 * @param {string} method @param {string} path @param {object} [body]
 * @returns {Promise<any>}
 * @throws {RequestFailed}
 */
async function ask(method, path, body) {
  const json = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(path, { method, ...json }).catch(() => {
    throw new RequestFailed(t('lobby.unreachable'));
  });
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new RequestFailed(content.message ?? t('lobby.unreachable'));
  return content;
}

/**
 * @param {object} wanted as POST /api/seeks wants it
 * @returns {Promise<{game?: string, seek?: import('../net/wire.js').SeekView}>} the game that began at once, or what waits now
 */
export const makeSeek = wanted => ask('POST', '/api/seeks', wanted);

/** @param {string} id @param {string[]} variants which of its variants one would play; none: any @returns {Promise<{game: string}>} */
export const takeSeek = (id, variants) => ask('POST', `/api/seeks/${id}/accept`, { variants });

/** @param {string} id */
export const withdrawSeek = id => ask('DELETE', `/api/seeks/${id}`);

/** Has this game begun? @param {string} id */
export const isGame = async id => (await fetch(`/api/games/${id}`).catch(() => null))?.ok ?? false;

/** What the front page asks of the server about seeks. Knows no element. */
import { request, requestJson } from '../net/requests.js';

/**
 * @param {object} wanted as POST /api/seeks wants it
 * @returns {Promise<{game?: string, seek?: import('../net/wire.js').SeekView}>} the game that began at once, or the seek
 *   that waits now
 */
export const makeSeek = wanted => requestJson('/api/seeks', 'POST', wanted);

/** @param {string} id @param {string[]} variants of the seek that this person would play; none: any @returns {Promise<{game: string}>} */
export const takeSeek = (id, variants) => requestJson(`/api/seeks/${id}/accept`, 'POST', { variants });

/** @param {string} id */
export const withdrawSeek = id => requestJson(`/api/seeks/${id}`, 'DELETE');

/** Whether this game has begun. @param {string} id */
export const isGame = async id => (await request(`/api/games/${id}`))?.ok ?? false;

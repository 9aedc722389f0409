/**
 * The challenges to the reader by name, asked for when the server says that there is a new one. Knows no element.
 *
 * @typedef {{game: string, by: string, words: string}} ListedChallenge   words: what game it would be, in the page's language
 */
import { requestJson } from '../net/requests.js';

/** Those that wait now, the newest first; none if the server does not answer. @returns {Promise<ListedChallenge[]>} */
export async function waitingChallenges() {
  const found = await requestJson('/api/me/challenges').catch(() => null);
  return found?.challenges ?? [];
}

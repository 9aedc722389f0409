/** The JSON of a game, for positions that a page has not seen itself. */
import { requestJson } from './requests.js';

/**
 * @param {string} game id
 * @returns {Promise<string[] | null>} the FEN after each half-move; null: the server cannot be reached now
 */
export async function fetchFens(game) {
  /** @type {{moves: {fen: string}[]} | null} */
  const found = await requestJson(`/api/games/${game}`).catch(() => null);
  return found?.moves.map(({ fen }) => fen) ?? null;
}

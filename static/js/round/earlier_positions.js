/** The positions of a game that its page has not seen, from the game's JSON: asked for once, however often they are wanted. */
import { requestJson } from '../net/requests.js';

export class EarlierPositions {
  /** @type {Promise<string[] | null> | null} */
  #fetching = null;

  /** @param {string} game @returns {Promise<string[] | null | undefined>} null: not to be had now; undefined: told already */
  async fetch(game) {
    this.#fetching ??= fetchFens(game);
    const fens = await this.#fetching;
    if (!this.#fetching) return undefined;
    this.#fetching = null;
    return fens;
  }
}

// The JSON of a game, for positions that a page has not seen itself.

/**
 * @param {string} game id
 * @returns {Promise<string[] | null>} the FEN after each half-move; null: the server cannot be reached now
 */
export async function fetchFens(game) {
  /** @type {{moves: {fen: string}[]} | null} */
  const found = await requestJson(`/api/games/${game}`).catch(() => null);
  return found?.moves.map(({ fen }) => fen) ?? null;
}

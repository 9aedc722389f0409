/** The positions of a game that its page has not seen, from the game's JSON: asked for once, however often they are wanted. */
import { fetchFens } from '../net/game_json.js';

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

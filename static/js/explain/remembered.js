/** What somebody has chosen about the engine in this browser. Knows no element. */
import { siteStorage } from '../storage.js';

const KEY = 'engine';

/** @typedef {{on: boolean, lines: number, strong: boolean}} Chosen   lines: 1 to 5; strong: Fairy-Stockfish, where it can */

/** @returns {Chosen} */
export function chosenOfEngine() {
  const { on = false, lines = 0, strong = false } = siteStorage.json(KEY) ?? {};
  const usual = matchMedia('(max-width: 37.43rem)').matches ? 1 : 3;
  return { on: on === true, lines: [1, 2, 3, 4, 5].includes(lines) ? lines : usual, strong: strong === true };
}

/** @param {Chosen} chosen */
export const chooseOfEngine = chosen => siteStorage.set(KEY, JSON.stringify(chosen));

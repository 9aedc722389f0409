/** What somebody has chosen about the engine in this browser. Knows no element. */
import { siteStorage } from '../storage.js';

const KEY = 'engine';

/** @typedef {{on: boolean, lines: number, strong: boolean, report: boolean}} Chosen   lines: 1 to 5; strong: Fairy-Stockfish, where it
 *   can; report: the same for reports, as for all else until somebody chooses */

/** @returns {Chosen} */
export function chosenOfEngine() {
  const { on = false, lines = 0, strong = false, report = strong } = siteStorage.json(KEY) ?? {};
  const usual = matchMedia('(max-width: 37.43rem)').matches ? 1 : 3;
  const known = [1, 2, 3, 4, 5].includes(lines) ? lines : usual;
  return { on: on === true, lines: known, strong: strong === true, report: report === true };
}

/** @param {Partial<Chosen>} chosen what is not in it stays as it is */
export const chooseOfEngine = chosen => siteStorage.set(KEY, JSON.stringify({ ...siteStorage.json(KEY), ...chosen }));

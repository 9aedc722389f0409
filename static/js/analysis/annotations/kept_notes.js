/**
 * A study with comments and glyphs, which its address has no room for, as long as the tab is open: whoever reloads the page
 * or comes back to it finds them. Without storage, only the moves are found.
 *
 * @import { Study } from '../study.js'
 */
import { tabStorage } from '../../storage.js';
import { isAnnotated } from './annotations.js';
import { pathTo } from '../../game/tree.js';

const KEY = 'analysis-notes';

/** @param {Study} study @param {string} address of it @param {() => string} pgn */
export const keepNotes = (study, address, pgn) =>
  tabStorage.set(
    KEY,
    isAnnotated(study)
      ? JSON.stringify({ address, pgn: pgn(), way: pathTo(study.tree, study.at).map(({ uci }) => uci) })
      : null,
  );

/** @param {string} address @returns {{pgn: string, way: string[]} | null} way: the moves to the position that was shown */
export function keptNotes(address) {
  const kept = tabStorage.json(KEY);
  return kept?.address === address ? kept : null;
}

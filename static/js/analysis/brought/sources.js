/**
 * What can be put on the board from outside: a position, a game, or whatever an address names. Each source makes a study,
 * and has the sentence to show if that fails.
 *
 * @import { Judge } from '../../game/judge.js'
 * @import { Study } from '../study.js'
 * @typedef {{make: () => Promise<Study>, refusal: (reason: string) => string}} Source   make throws RequestFailed
 */
import { plyFromHash } from '../../game/replay.js';
import { t } from '../../words.js';
import { endOfWay } from '../../game/tree.js';
import { keptNotes } from '../annotations/kept_notes.js';
import { isReportAlone } from '../report_link.js';
import { fromFragment, fromGame, fromLine, fromPgn } from '../study.js';

/** @param {Judge} judge @param {string} fen @param {boolean} chess960 @returns {Source} */
export const positionSource = (judge, fen, chess960) => ({
  make: () => fromLine(judge, { fen, chess960, steps: [], shown: 0 }),
  refusal: reason => t('analysis.bad_fen', { reason }),
});

/** @param {() => Promise<Study>} make @returns {Source} */
export const gameSource = make => ({ make, refusal: reason => t('analysis.bad_pgn', { reason }) });

/**
 * What had comments and glyphs when it left this address in the same tab.
 * @param {Judge} judge @param {{pathname: string, search: string, hash: string}} address @returns {Source | null} null: nothing
 */
export function notesSource(judge, { pathname, search, hash }) {
  const kept = keptNotes(pathname + search + hash);
  if (!kept) return null;
  const make = async () => {
    const study = fromPgn(await judge.game(kept.pgn));
    return { ...study, at: endOfWay(study.tree, kept.way) };
  };
  return gameSource(make);
}

/**
 * What an address names: a whole tree after the #, ?game= with #p23 or #report, or ?fen=, where _ may stand for a space.
 * With side=black the board is seen from there (pages/analysis.js).
 * @param {Judge} judge @param {{search: string, hash: string}} address
 * @returns {Source | null} null: nothing
 */
export function addressSource(judge, { search, hash }) {
  const query = new URLSearchParams(search);
  const [fen, id] = [query.get('fen'), query.get('game')];
  const text = isReportAlone(hash.slice(1)) ? '' : hash.slice(1);
  const ply = plyFromHash(text);
  if (text && ply === null)
    return { make: async () => fromFragment(judge, text), refusal: reason => t('analysis.bad_link', { reason }) };
  if (id) return gameSource(() => fromGame(judge, encodeURIComponent(id), ply));
  // An address reads + as a space too; where _ is the space, it is a + of the FEN, as in 2+3 or +N.
  const written = fen?.includes('_') ? fen.replaceAll(' ', '+').replaceAll('_', ' ') : fen;
  return written ? positionSource(judge, written, query.get('chess960') === '1') : null;
}

/**
 * Offers a study to be passed on: as a link, as the position shown, as PGN.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { ShareDialog } from '../ui/share.js'
 * @import { Study } from './study.js'
 */
import { nodeAt } from '../game/tree.js';
import { toFragment, toPgn } from './study.js';

/**
 * @param {ShareDialog} dialog @param {Study} study @param {{variant: Variant, pgnTags: [string, string], study: import('./chapter_keeper.js').StudyFacts | null}} facts   pgnTags: as `toPgn`
 * @returns {boolean} false: the link has no variations, because there are too many
 */
export function shareStudy(dialog, study, { variant, pgnTags, study: kept }) {
  const { fragment, whole } = toFragment(study, variant.startFen);
  void dialog.open({
    link: kept?.shared ? location.href : `${location.origin}/analysis/${variant.id}${fragment && `#${fragment}`}`,
    fen: nodeAt(study.tree, study.at).fen,
    pgn: Promise.resolve(toPgn(study, variant, pgnTags)),
  });
  return whole;
}

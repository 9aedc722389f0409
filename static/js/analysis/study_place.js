/**
 * Where what is on the analysis board is kept: in the page's address or, on the page of a study, in its chapter; and the panel
 * of studies, which is loaded when somebody opens it.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { StudyPanel } from '../studies/study_panel.js'
 * @import { StudyFacts } from './chapter_keeper.js'
 * @import { Study } from './study.js'
 * @typedef {{variant: Variant, pgnTags: [string, string], study: StudyFacts | null}} Facts
 */
import { nodeAt } from '../game/tree.js';
import { isPartKept } from '../studies/part_in_sight.js';
import { byId } from '../ui/dom.js';
import { BoardAddress } from './board_address.js';
import { ChapterKeeper } from './chapter_keeper.js';
import { newStudy, toPgn } from './study.js';

/**
 * @param {Facts} facts @param {() => Study} study on the board @param {import('../ui/tabs.js').Tabs} tabs
 * @returns {{keeper: ChapterKeeper | null, address: ChapterKeeper | BoardAddress, openPanel: () => Promise<void>}}
 *   keeper: of the chapter, if it is one; openPanel: to be called when another tab may be in sight
 */
export function placesOf({ variant, pgnTags, study: kept }, study, tabs) {
  const pgnOf = (/** @type {Study} */ one) => toPgn(one, variant, pgnTags);
  const keeper = kept && new ChapterKeeper(kept, pgnOf);
  const position = () => {
    const { tree, at, chess960 } = study();
    return pgnOf(newStudy(nodeAt(tree, at).fen, chess960));
  };
  // Once the page stands.
  if (kept && isPartKept()) queueMicrotask(() => tabs.choose('tab-study'));
  return {
    keeper,
    address: keeper ?? new BoardAddress(variant.startFen, pgnOf),
    openPanel: onceInSight({ study: kept, keeper, pgn: () => pgnOf(study()), position }),
  };
}

/**
 * Until its script is there the panel takes no press, so that none is lost.
 *
 * @param {import('../studies/study_panel.js').Page} page
 */
function onceInSight(page) {
  const place = byId('study');
  place.inert = true;
  /** @type {Promise<StudyPanel> | null} */
  let loading = null;
  const load = async () => new (await import(place.dataset.script ?? '')).StudyPanel(page);
  return async () => {
    if (place.hidden || loading) return;
    try {
      loading = load();
      await loading;
    } catch {
      loading = null;
      byId('study-problem').textContent = place.dataset.failed ?? '';
    } finally {
      place.inert = false;
    }
  };
}

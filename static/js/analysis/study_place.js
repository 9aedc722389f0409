/**
 * Where what is on the analysis board is kept: in the page's address or, on the page of a study, in its chapter; and the panel
 * of studies, which is loaded when somebody opens it.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { StudyPanel } from '../studies/study_panel.js'
 * @import { StudyFacts } from './chapter_keeper.js'
 * @import { EditedStudy } from './edited_study.js'
 * @import { Study } from './study.js'
 * @typedef {{variant: Variant, pgnTags: [string, string], study: StudyFacts | null}} Facts
 */
import { nodeAt, pathTo } from '../game/tree.js';
import { isPartKept, keepPlace } from '../studies/part_in_sight.js';
import { byId } from '../ui/dom.js';
import { ChapterKeeper } from './chapter_keeper.js';
import { StudyLive } from './study_live.js';
import { addressOf, newStudy, toPgn } from './study.js';
import { keepNotes } from './annotations/kept_notes.js';

/**
 * @param {Facts} facts @param {EditedStudy} edited on the board @param {import('../ui/tabs.js').Tabs} tabs
 * @returns {{keeper: ChapterKeeper | null, address: ChapterKeeper | BoardAddress, openPanel: () => Promise<void>, listen: () => void}}
 *   keeper: of the chapter, if it is one; openPanel: to be called when another tab may be in sight; listen: once the chapter is on the
 *   board, to what others do in it
 */
export function placesOf({ variant, pgnTags, study: kept }, edited, tabs) {
  const study = () => edited.study;
  const pgnOf = (/** @type {Study} */ one) => toPgn(one, variant, pgnTags);
  const wayIn = (/** @type {Study} */ { tree, at }) => pathTo(tree, at).map(({ uci }) => uci);
  const keeper =
    kept &&
    new ChapterKeeper(kept, pgnOf, {
      shown: shown => keepPlace(kept.chapter.id, wayIn(shown)),
      ready: () => edited.ready(),
      adopt: change => edited.adopt(change),
    });
  const position = () => {
    const { tree, at, chess960 } = study();
    return pgnOf(newStudy(nodeAt(tree, at).fen, chess960));
  };
  // Once the page stands.
  if (kept && isPartKept()) queueMicrotask(() => tabs.choose('tab-study'));
  return {
    keeper,
    address: keeper ?? new BoardAddress(variant.startFen, pgnOf),
    openPanel: onceInSight({ study: kept, keeper, pgn: () => pgnOf(study()), position, way: () => wayIn(study()) }),
    listen: () => void (kept && keeper && new StudyLive(kept, keeper)),
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

// Keeps the page's address in step with the board, so that copying it shares what is on the board. It waits a moment,
// because browsers refuse to change the address as often as a key held down repeats.

const DELAY_MS = 400;

class BoardAddress {
  #startFen;
  /** @type {Study['tree'] | null} the tree that the address named, until it is changed */
  #opened = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {(() => Study) | null} what is yet to be written */
  #pending = null;

  #pgn;

  /** @param {string} startFen of the variant @param {(study: Study) => string} pgn of a study */
  constructor(startFen, pgn) {
    this.#startFen = startFen;
    this.#pgn = pgn;
    addEventListener('pagehide', () => this.#write());
  }

  /** Notes that the study came from the address. @param {Study} study */
  named({ tree }) {
    this.#opened = tree;
  }

  /** @param {() => Study} study called when the address is written */
  follow(study) {
    clearTimeout(this.#timer);
    this.#pending = study;
    this.#timer = setTimeout(() => this.#write(), DELAY_MS);
  }

  #write() {
    if (!this.#pending) return;
    const study = this.#pending();
    this.#pending = null;
    const unchanged = study.tree === this.#opened;
    const address = addressOf(study, location, this.#startFen, unchanged);
    history.replaceState(null, '', address);
    keepNotes(study, address, () => this.#pgn(study));
  }
}

/**
 * Keeps a chapter of a study in step with the board, in place of the page's address: what its author changes is stored after a
 * moment, unless somebody was first, and the page says how that stands. What a reader tries is not stored. Knows no other
 * element than the one that says so.
 *
 * @import { Source } from './brought/sources.js'
 * @import { Study } from './study.js'
 * @typedef {{id: string, name: string, rev: number}} ChapterFacts
 * @typedef {{id: string, rev: number, mine: boolean, own: boolean, shared: boolean, address: string, chapters: ChapterFacts[], chapter: ChapterFacts}} StudyFacts
 */
import { RequestFailed, requestJson } from '../net/requests.js';
import { byId, createButton } from '../ui/dom.js';
import { t } from '../words.js';
import { endOfWay } from '../game/tree.js';
import { keptPlace } from '../studies/part_in_sight.js';
import { fromPgn } from './study.js';

const DELAY_MS = 1_000;
/** After a request that did not arrive. */
const AGAIN_MS = 5_000;
const TAKEN = 'chapter_changed';

export class ChapterKeeper {
  #facts;
  #pgn;
  #shown;
  #path;
  /** @type {string | null} what the server has; null: nothing was loaded, so nothing may be stored in its place */
  #stored = null;
  /** @type {(() => Study) | null} */
  #study = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Promise<void>} */
  #saving = Promise.resolve();
  /** Somebody else was first: nothing is stored until the person has decided. */
  #taken = false;

  /** @param {StudyFacts} facts @param {(study: Study) => string} pgn @param {(study: Study) => void} shown hears what the board shows */
  constructor(facts, pgn, shown) {
    this.#facts = facts;
    this.#pgn = pgn;
    this.#shown = shown;
    this.#path = `/api/studies/${facts.id}/chapters`;
    addEventListener('beforeunload', event => {
      if (facts.mine && this.isUnsaved) event.preventDefault();
    });
    addEventListener('visibilitychange', () => document.hidden && void this.save());
  }

  /** @returns {Source} what is in the chapter */
  get source() {
    const make = async () => {
      const { chapter, game } = await requestJson(`${this.#path}/${this.#facts.chapter.id}`);
      this.#facts.chapter = chapter;
      const study = fromPgn(game);
      const named = [game.white, game.black].some(name => name !== '?');
      return { ...study, at: endOfWay(study.tree, keptPlace(chapter.id)), players: named ? study.players : null };
    };
    return { make, refusal: reason => t('chapters.bad_chapter', { reason }) };
  }

  get isUnsaved() {
    return this.#stored !== null && this.#study !== null && this.#pgn(this.#study()) !== this.#stored;
  }

  /** The study on the board is what the server has. @param {Study} study */
  named(study) {
    this.#stored = this.#pgn(study);
    this.#say('saved');
  }

  /** @param {() => Study} study the board shows something else, or the same */
  follow(study) {
    this.#study = study;
    this.#shown(study());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), DELAY_MS);
    if (this.isUnsaved && !this.#taken) this.#say('waiting');
  }

  /** Stores what is on the board now. @returns {Promise<boolean>} whether the server has it */
  async save() {
    clearTimeout(this.#timer);
    this.#saving = this.#saving.then(() => this.#store());
    await this.#saving;
    return !this.#facts.mine || !this.isUnsaved;
  }

  async #store() {
    if (!this.#study || !this.isUnsaved || !this.#facts.mine || this.#taken) return;
    const pgn = this.#pgn(this.#study());
    this.#say('saving');
    try {
      const { id, rev } = this.#facts.chapter;
      this.#facts.chapter = await requestJson(`${this.#path}/${id}`, 'POST', { rev, pgn });
      this.#stored = pgn;
      this.#say(this.isUnsaved ? 'waiting' : 'saved');
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      this.#taken = error.refusal === TAKEN;
      this.#say('failed', error.message);
      if (!error.refusal) this.#timer = setTimeout(() => void this.save(), AGAIN_MS);
    }
  }

  /** Stores what is on the board beside the chapter that somebody else has changed, and goes there. */
  async #keepMine() {
    const { chapter } = this.#facts;
    const study = this.#study?.();
    if (!study) return;
    try {
      const name = t('chapters.mine', { name: chapter.name }).slice(0, 80);
      const { id, chapters } = await requestJson(this.#path, 'POST', { name, pgn: this.#pgn(study) });
      this.#stored = null;
      location.assign(`/study/${id}/${chapters.at(-1).id}`);
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      this.#say('failed', error.message);
    }
  }

  #loadAgain() {
    this.#stored = null;
    location.reload();
  }

  /** @param {'saved' | 'waiting' | 'saving' | 'failed'} state @param {string} [reason] */
  #say(state, reason = '') {
    const place = byId('kept');
    const { mine } = this.#facts;
    place.dataset.state = mine ? state : 'reading';
    const words = mine ? t(`chapters.${state}`, { reason }) : state === 'saved' ? '' : t('chapters.reading');
    const ways = this.#taken
      ? [
          createButton('button', () => this.#loadAgain(), t('chapters.load_again')),
          createButton('button', () => void this.#keepMine(), t('chapters.keep_mine')),
        ]
      : [];
    if (place.textContent !== words) place.replaceChildren(words, ...ways);
  }
}

/**
 * Keeps a chapter of a study in step with the board, in place of the page's address: what is changed here is stored after a
 * moment, what others have stored is brought onto the board beside it, and the page says how that stands. What a reader tries is
 * not stored. Knows no other element than the one that says so.
 *
 * @import { Source } from './brought/sources.js'
 * @import { Study } from './study.js'
 * @typedef {{id: string, name: string, rev: number, variant: string}} ChapterFacts
 * @typedef {object} Board   as the keeper needs it
 * @property {(study: Study) => void} shown   hears what it shows
 * @property {() => Promise<void>} ready   when no move is on its way to the server
 * @property {(change: (study: Study) => Study) => void} adopt   has it show the study with what others have changed
 * @typedef {{id: string, rev: number, mine: boolean, own: boolean, shared: boolean, name: string, reader: string, names: Record<string, string>, address: string, chapters: ChapterFacts[], chapter: ChapterFacts}} StudyFacts
 */
import { RequestFailed, requestJson } from '../net/requests.js';
import { byId, createButton, setText } from '../ui/dom.js';
import { t } from '../words.js';
import { endOfWay } from '../game/tree.js';
import { keptPlace } from '../studies/part_in_sight.js';
import { mergeStudies } from './merge.js';
import { fromPgn } from './study.js';

const DELAY_MS = 1_000;
/** While others look on. */
const SOON_MS = 300;
/** So often what others were first with is brought in before what is here is stored. */
const TRIES = 5;
/** After a request that did not arrive. */
const AGAIN_MS = 5_000;
const TAKEN = 'chapter_changed';

export class ChapterKeeper {
  #facts;
  #pgn;
  #board;
  #path;
  /** @type {string | null} what the server has; null: nothing was loaded, so nothing may be stored in its place */
  #stored = null;
  /** @type {Study | null} the same as a study */
  #base = null;
  /** @type {(() => Study) | null} */
  #study = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Promise<void>} */
  #saving = Promise.resolve();
  /** Somebody else was first, and both do not go together: nothing is stored until the person has decided. */
  #taken = false;
  /** Why nothing can be stored here any more, in words. */
  #over = '';
  /** The names of others who have the study open. @type {string[]} */
  #others = [];
  /** What the page says of it, and by how many buttons. */
  #shown = '';
  /** What was said last. @type {['saved' | 'waiting' | 'saving' | 'failed', string]} */
  #said = ['saved', ''];

  /** @param {StudyFacts} facts @param {(study: Study) => string} pgn @param {Board} board */
  constructor(facts, pgn, board) {
    this.#facts = facts;
    this.#pgn = pgn;
    this.#board = board;
    this.#path = `/api/studies/${facts.id}/chapters`;
    addEventListener('beforeunload', event => {
      if (facts.mine && this.isUnsaved) event.preventDefault();
    });
    addEventListener('visibilitychange', () => document.hidden && void this.save());
  }

  /** @returns {Source} what is in the chapter */
  get source() {
    const make = async () => {
      const study = await this.#load();
      return { ...study, at: endOfWay(study.tree, keptPlace(this.#facts.chapter.id)) };
    };
    return { make, refusal: reason => t('chapters.bad_chapter', { reason }) };
  }

  /** What the server has now. @returns {Promise<Study>} @throws {RequestFailed} */
  async #load() {
    const { chapter, game } = await requestJson(`${this.#path}/${this.#facts.chapter.id}`);
    this.#facts.chapter = chapter;
    const named = [game.white, game.black].some(name => name !== '?');
    const study = fromPgn(game);
    return { ...study, players: named ? study.players : null };
  }

  get isUnsaved() {
    return this.#stored !== null && this.#study !== null && this.#pgn(this.#study()) !== this.#stored;
  }

  /** The study on the board is what the server has. @param {Study} study */
  named(study) {
    this.#stored = this.#pgn(study);
    this.#base = study;
    this.#say('saved');
  }

  /** Somebody has stored the chapter. @param {number} rev @param {string} by a name, or '' */
  heard(rev, by) {
    this.#saving = this.#saving.then(async () => {
      if (rev <= this.#facts.chapter.rev || this.#taken || this.#over || (await this.#merge()) !== 'merged') return;
      this.#say(this.isUnsaved && this.#facts.mine ? 'waiting' : 'saved', by && t('chapters.changed', { name: by }));
    });
  }

  /** Who else has the study open. @param {string[]} names */
  meet(names) {
    this.#others = names;
    this.#say(...this.#said);
  }

  /** Nothing can be stored here any more. @param {string} why in words */
  end(why) {
    this.#over = why;
    this.#say('failed', why);
  }

  /** @param {() => Study} study the board shows something else, or the same */
  follow(study) {
    this.#study = study;
    this.#board.shown(study());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), this.#others.length ? SOON_MS : DELAY_MS);
    if (this.isUnsaved && !this.#taken && !this.#over) this.#say('waiting');
  }

  /** Stores what is on the board now. @returns {Promise<boolean>} whether the server has it, or can have it no more */
  async save() {
    clearTimeout(this.#timer);
    this.#saving = this.#saving.then(() => this.#store());
    await this.#saving;
    return !this.#facts.mine || !this.isUnsaved || this.#over !== '';
  }

  /** @param {number} [tries] @returns {Promise<void>} */
  async #store(tries = TRIES) {
    if (!this.#study || !this.isUnsaved || !this.#facts.mine || this.#taken || this.#over) return;
    const study = this.#study();
    const pgn = this.#pgn(study);
    this.#say('saving');
    try {
      const { id, rev } = this.#facts.chapter;
      this.#facts.chapter = await requestJson(`${this.#path}/${id}`, 'POST', { rev, pgn });
      this.#stored = pgn;
      this.#base = study;
      this.#say(this.isUnsaved ? 'waiting' : 'saved');
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      const isFirst = error.refusal === TAKEN;
      const came = isFirst && tries ? await this.#merge() : 'apart';
      if (came === 'merged') return this.#store(tries - 1);
      this.#taken = isFirst && came === 'apart';
      this.#say('failed', error.message);
      if (!error.refusal || came === 'unknown') this.#timer = setTimeout(() => void this.save(), AGAIN_MS);
    }
  }

  /** Brings what somebody else has stored onto the board, beside what was changed here. @returns {Promise<'merged' | 'apart' | 'unknown'>}
   * apart: they do not go together; unknown: it cannot be loaded now */
  async #merge() {
    const [{ chapter }, base] = [this.#facts, this.#base];
    try {
      const theirs = await this.#load();
      await this.#board.ready();
      const merged = (/** @type {Study} */ study) => base && mergeStudies(base, study, theirs);
      if (!this.#study || (this.isUnsaved && !merged(this.#study()))) {
        this.#facts.chapter = chapter;
        return 'apart';
      }
      this.#base = theirs;
      this.#stored = this.#pgn(theirs);
      this.#board.adopt(study => merged(study) ?? theirs);
      return 'merged';
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      return 'unknown';
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

  /** @param {'saved' | 'waiting' | 'saving' | 'failed'} state @param {string} [reason] why it has failed, or what else is to be said */
  #say(state, reason = '') {
    this.#said = [state, reason];
    const place = byId('kept');
    const { mine } = this.#facts;
    place.dataset.state = mine || this.#over ? state : 'reading';
    const stands = mine ? t(`chapters.${state}`, { reason }) : state === 'saved' ? '' : t('chapters.reading');
    const words = this.#over || [stands, state === 'failed' ? '' : reason].filter(Boolean).join(' · ');
    const ways = [];
    if (this.#taken || this.#over) ways.push(createButton('button', () => this.#loadAgain(), t('chapters.load_again')));
    if (this.#taken) ways.push(createButton('button', () => void this.#keepMine(), t('chapters.keep_mine')));
    const shown = `${words} ${ways.length}`;
    // A button may have the focus, and what has not changed is not read out again.
    if (this.#shown !== shown) byId('kept-says').replaceChildren(words, ...ways);
    this.#shown = shown;
    setText(byId('kept-with'), this.#others.length ? t('chapters.with', { names: this.#others.join(', ') }) : '');
  }
}

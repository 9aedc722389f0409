/**
 * The study on the analysis board, and how it changes: by a move, of which the server says what it leads to, by looking at
 * another position, by an edit, and back again. Knows no page.
 *
 * @import { Judge, Verdict } from '../game/judge.js'
 * @import { Announcer } from './announcer.js'
 * @import { Study } from './study.js'
 */
import { addMove, childByUci, nodeAt, repeatablePath } from '../game/tree.js';
import { RequestFailed } from '../net/requests.js';
import { t } from '../words.js';
import { UndoHistory } from './history.js';

export class EditedStudy {
  #judge;
  #announcer;
  #on;
  #study;
  /** @type {string | null} UCI: a move that the server has not answered */
  #sent = null;
  /** @type {Promise<void>} resolves when the legal moves of the shown position are known */
  #asked = Promise.resolve();
  /** @type {Promise<void>} resolves when the last move has been answered */
  #moved = Promise.resolve();
  #history = new UndoHistory();

  /**
   * @param {Study} study @param {Judge} judge @param {Announcer} announcer
   * @param {object} on
   * @param {() => void} on.sent   a move is on its way to the server
   * @param {() => void} on.changed   another position or tree is to be shown
   * @param {() => void} on.asked   what is legal in the shown position is known
   * @param {(words: string) => void} on.refused
   */
  constructor(study, judge, announcer, on) {
    this.#study = study;
    this.#judge = judge;
    this.#announcer = announcer;
    this.#on = on;
  }

  get study() {
    return this.#study;
  }

  get node() {
    return nodeAt(this.#study.tree, this.#study.at);
  }

  get sent() {
    return this.#sent;
  }

  get asked() {
    return this.#asked;
  }

  get history() {
    return this.#history;
  }

  /** @returns {Verdict | null} null: not answered yet */
  get verdict() {
    return this.#judge.known(this.#study.chess960, this.node.fen);
  }

  /** Puts another study in its place, which can be undone. @param {Study} study */
  replace(study) {
    this.#history.note(this.#study);
    this.#sent = null;
    this.#study = study;
    this.#on.changed();
  }

  /** @param {string} uci */
  move(uci) {
    this.#moved = this.#move(uci);
    return this.#moved;
  }

  /** No move is on its way to the server any more. */
  async ready() {
    while (this.#sent !== null) await this.#moved;
  }

  /** Somebody else has changed the study, and so all that can be gone back to. @param {(study: Study) => Study} change of what was here */
  adopt(change) {
    this.#history.change(change);
    this.#study = change(this.#study);
    this.#on.changed();
  }

  /** @param {string} uci */
  async #move(uci) {
    const { tree, at, chess960 } = this.#study;
    const known = childByUci(tree, at, uci);
    if (known !== null) return this.go(known);
    this.#sent = uci;
    this.#on.sent();
    try {
      const { fen, steps } = repeatablePath(tree, at);
      const { plies } = await this.#judge.line({ fen, chess960, steps: [...steps, uci] });
      if (this.#study.tree !== tree) return;
      const grown = addMove(tree, at, plies[steps.length]);
      const stayed = this.#study.at === at;
      this.#history.note(this.#study);
      this.#study = { ...this.#study, tree: grown.tree, at: stayed ? grown.at : this.#study.at };
      this.#sent = null;
      if (stayed) this.#announcer.moved(this.node);
      this.#on.changed();
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      this.#sent = null;
      this.#on.refused(error.message);
    }
  }

  /** @param {number} id of the position to look at */
  go(id) {
    if (id === this.#study.at) return;
    this.#sent = null;
    this.#study = { ...this.#study, at: id };
    this.#announcer.shown(this.node);
    this.#on.changed();
  }

  /** @param {Study | null} changed null: nothing is to be changed @param {string} words to announce */
  edit(changed, words) {
    if (!changed) return;
    this.#history.note(this.#study);
    this.#show(changed, words);
  }

  undo() {
    const before = this.#history.undo();
    if (before) this.#show(before, t('analysis.undone'));
  }

  /** @param {Study} study @param {string} words to announce */
  #show(study, words) {
    this.#sent = null;
    this.#study = study;
    this.#announcer.say(words);
    this.#on.changed();
  }

  /** Asks the server what is legal in the shown position, unless that is known. */
  ask() {
    if (!this.verdict) this.#asked = this.#ask();
  }

  async #ask() {
    const { tree, at, chess960 } = this.#study;
    try {
      await this.#judge.line({ ...repeatablePath(tree, at), chess960 });
      if (this.#study.at === at) this.#on.asked();
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      this.#on.refused(error.message);
    }
  }
}

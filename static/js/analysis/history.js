/**
 * Changes of a study, and what it was before each of them, so that they can be undone. Knows no element.
 *
 * @import { Study } from './study.js'
 */
import { ROOT, deleteFrom, enclosingVariation, promote } from '../game/tree.js';

/** So many changes can be undone. */
const KEPT = 200;

export class UndoHistory {
  /** @type {Study[]} */
  #before = [];

  get isEmpty() {
    return !this.#before.length;
  }

  /** Call it before a change. A board without moves is not worth going back to. @param {Study} study */
  note(study) {
    if (study.tree.nodes.size === 1 && this.isEmpty) return;
    this.#before = [...this.#before, study].slice(-KEPT);
  }

  /** Somebody else has changed the study, and so what is gone back to. @param {(study: Study) => Study} change */
  change(change) {
    this.#before = this.#before.map(change);
  }

  /** @returns {Study | undefined} as it was before the last change that is not undone yet */
  undo() {
    return this.#before.pop();
  }
}

/** Without the shown move and all that follows it. @param {Study} study @returns {Study | null} null: no move is shown */
export const withoutMove = study => (study.at === ROOT ? null : { ...study, ...deleteFrom(study.tree, study.at) });

/** With the shown variation in place of what it replaces. @param {Study} study @returns {Study | null} null: no variation is shown */
export const withPromoted = study =>
  enclosingVariation(study.tree, study.at) === null ? null : { ...study, tree: promote(study.tree, study.at) };

/**
 * Keeps the page's address in step with the board, so that copying it shares what is on the board. It waits a moment,
 * because browsers refuse to change the address as often as a key held down repeats.
 *
 * @import { Study } from './study.js'
 */
import { addressOf } from './study.js';

const DELAY_MS = 400;

export class BoardAddress {
  #startFen;
  /** @type {Study['tree'] | null} the tree that the address named, until it is changed */
  #opened = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} startFen of the variant */
  constructor(startFen) {
    this.#startFen = startFen;
  }

  /** Notes that the study came from the address. @param {Study} study */
  named({ tree }) {
    this.#opened = tree;
  }

  /** @param {() => Study} study called when the address is written */
  follow(study) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(study()), DELAY_MS);
  }

  /** @param {Study} study */
  #write(study) {
    history.replaceState(null, '', addressOf(study, location, this.#startFen, study.tree === this.#opened));
  }
}

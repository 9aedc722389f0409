/**
 * Keeps the address of the page in step with the board, so that copying it shares what is on the board. It does not
 * follow every step of a key held down, because browsers refuse that.
 *
 * @import { Study } from './study.js'
 */
import { addressOf } from './study.js';

const DELAY_MS = 400;

export class BoardAddress {
  #startFen;
  /** @type {Study['tree'] | null} what the address named, before anybody changed it */
  #opened = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} startFen of the variant */
  constructor(startFen) {
    this.#startFen = startFen;
  }

  /** The address itself put this on the board. @param {Study} study */
  named({ tree }) {
    this.#opened = tree;
  }

  /** @param {() => Study} study what is on the board when the address is written */
  follow(study) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(study()), DELAY_MS);
  }

  /** @param {Study} study */
  #write(study) {
    history.replaceState(null, '', addressOf(study, location, this.#startFen, study.tree === this.#opened));
  }
}

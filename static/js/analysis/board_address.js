/**
 * Keeps the page's address in step with the board, so that copying it shares what is on the board. It waits a moment,
 * because browsers refuse to change the address as often as a key held down repeats.
 *
 * @import { Study } from './study.js'
 */
import { keepNotes } from './annotations/kept_notes.js';
import { addressOf } from './study.js';

const DELAY_MS = 400;

export class BoardAddress {
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

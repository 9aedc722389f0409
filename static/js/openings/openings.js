/**
 * Asks what was played here from the position that is shown, one position at a time, and keeps the answers: stepping through
 * a game asks for each position once.
 *
 * @import { Explored } from './openings_view.js'
 * @typedef {{fen: string, chess960: boolean}} Position
 */
import { RequestFailed, requestJson } from '../net/requests.js';
import { OpeningsView } from './openings_view.js';

/** Positions that are kept; later ones push out the oldest. */
const KEPT = 300;

export class Openings {
  #variant;
  #place;
  #view;
  /** @type {Map<string, Explored>} */
  #known = new Map();
  #wantedPath = '';
  #asking = false;
  #shown = '';

  /** @param {string} variant its id @param {HTMLElement} place @param {(uci: string) => void} play */
  constructor(variant, place, play) {
    this.#variant = variant;
    this.#place = place;
    this.#view = new OpeningsView(place, play);
  }

  /** Shows that position, as soon as it is known what was played there. @param {Position} position */
  show(position) {
    const path = this.#path(position);
    this.#wantedPath = path;
    const known = this.#known.get(path);
    if (known) this.#draw(path, known);
    else if (!this.#asking) void this.#ask();
  }

  async #ask() {
    this.#asking = true;
    this.#place.ariaBusy = 'true';
    try {
      /** @type {Explored | undefined} */
      let found;
      let path = '';
      // Another position may be shown by the time the answer is there.
      while (path !== this.#wantedPath) {
        path = this.#wantedPath;
        found = this.#known.get(path) ?? (await requestJson(path));
        if (found) this.#keep(path, found);
      }
      if (found) this.#draw(path, found);
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      this.#shown = '';
      this.#view.say(error.message);
    } finally {
      this.#asking = false;
      this.#place.ariaBusy = 'false';
    }
  }

  /** @param {string} path @param {Explored} found */
  #draw(path, found) {
    if (path === this.#shown) return;
    this.#shown = path;
    this.#view.show(found);
  }

  /** @param {string} path @param {Explored} found */
  #keep(path, found) {
    this.#known.set(path, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT) this.#known.delete(oldest);
  }

  /** @param {Position} position */
  #path({ fen, chess960 }) {
    return `/api/explorer/${this.#variant}?${new URLSearchParams({ fen, ...(chess960 && { chess960: '1' }) })}`;
  }
}

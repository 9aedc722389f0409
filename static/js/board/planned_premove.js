/**
 * The premove that is planned on a board: kept until it is played or cancelled, and marked there. What may be premoved,
 * and whether it is legal in the end, is decided elsewhere.
 *
 * @import { Library } from './library.js'
 * @import { Premove } from './premove.js'
 */
import { toKey, toOrigin } from './geometry.js';
import { premoveEvents } from './library.js';

export class PlannedPremove {
  #library;
  #premoved;
  #changed;
  /** @type {Premove | null} */
  #premove = null;
  /** How often everything has been cancelled: a premove that is reported later is dropped. */
  #cancels = 0;

  /**
   * @param {Library} library
   * @param {(from: string, to: string) => void} premoved   somebody has made a premove on the board, from a square or a drop
   * @param {() => void} changed   `current` is another one, or null
   */
  constructor(library, premoved, changed) {
    this.#library = library;
    this.#premoved = premoved;
    this.#changed = changed;
  }

  get current() {
    return this.#premove;
  }

  /** @param {Premove | null} premove */
  set(premove) {
    if (!premove && !this.#premove) return;
    this.#premove = premove;
    this.#changed();
  }

  /** Takes it off the board to be played. @returns {Premove | null} */
  take() {
    const premove = this.#premove;
    if (premove) this.mark(false);
    this.set(null);
    return premove;
  }

  /** Nothing is planned any more, not even what the library reports only later, when another position may be on the board. */
  cancel() {
    this.#cancels += 1;
    this.listen();
    this.set(null);
  }

  /** Whoever makes a premove means the game as it is until everything is cancelled. */
  listen() {
    const cancels = this.#cancels;
    const events = premoveEvents((from, to) => {
      if (cancels === this.#cancels) this.#premoved(from, to);
    });
    this.#library.set({ premovable: { events } });
  }

  /** Shows it, or hides it if not `visible`, without triggering an event. @param {boolean} visible */
  mark(visible) {
    const premove = visible ? this.#premove : null;
    this.#library.state.premovable.current = premove ? [toOrigin(premove.from), toKey(premove.to)] : undefined;
    this.#library.state.dom.redraw();
  }
}

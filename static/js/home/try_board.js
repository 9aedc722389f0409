/**
 * The board of the front page: both sides are moved by hand, in the chosen variant, its 960 form or a position of one's own,
 * and the server judges each move. Each start keeps its board, so that going back to a variant finds what was tried. Knows
 * no form.
 *
 * @import { TriedLine, VariantAtStart } from '../rules/free_play.js'
 * @typedef {VariantAtStart & {fen960?: string}} TriedVariant   fen960: a start of its 960 form
 * @typedef {{live: LiveBoard, free: FreePlay, line: TriedLine | null}} Trial
 */
import { requestJson } from '../net/requests.js';
import { FreePlay } from '../rules/free_play.js';
import { LiveBoard } from '../rules/live_board.js';

export class TryBoard {
  #place;
  #label;
  #onLine;
  #say;
  /** By variant, form and position. @type {Map<string, Trial>} */
  #trials = new Map();
  #wanted = '';
  #shown = '';

  /**
   * @param {HTMLElement} place @param {(variant: TriedVariant) => string} label names a board for screen readers
   * @param {() => void} onLine something has been moved, or another board is shown
   * @param {(text: string) => void} say words about the piece under the pointer; '' if there is none
   */
  constructor(place, label, onLine, say) {
    this.#place = place;
    this.#label = label;
    this.#onLine = onLine;
    this.#say = say;
  }

  /** UCI: what was moved on the board that is shown. @returns {string[]} */
  get moves() {
    return this.#trials.get(this.#shown)?.line?.plies.map(({ uci }) => uci) ?? [];
  }

  /** @returns {string} a PGN result, '' while the game on the board is not over */
  get result() {
    return this.#trials.get(this.#shown)?.line?.outcome?.result ?? '';
  }

  /** Takes the last move back. */
  back() {
    void this.#trials.get(this.#shown)?.free.back();
  }

  /**
   * Shows the board of a variant, from `fen` if there is one.
   * @param {TriedVariant} variant @param {boolean} shuffled @param {string} fen '': the usual start
   * @returns {Promise<void>} @throws {import('../net/requests.js').RequestFailed} the position is refused; the board stays
   */
  async show(variant, shuffled, fen) {
    const key = [variant.id, shuffled ? '960' : '', fen].join(' ');
    this.#wanted = key;
    if (!this.#trials.has(key)) {
      const start = await this.#start(variant, shuffled, fen);
      if (this.#wanted !== key) return;
      this.#add(key, start);
    } else if (!this.#trials.get(key)?.line) {
      // The server did not answer when it was asked for the first moves.
      this.#trials.get(key)?.free.begin();
    }
    this.#shown = key;
    for (const [each, { live }] of this.#trials) live.element.hidden = each !== key;
    this.#onLine();
  }

  /** @param {TriedVariant} variant @param {boolean} shuffled @param {string} fen @returns {Promise<VariantAtStart>} */
  async #start(variant, shuffled, fen) {
    const from = fen || (shuffled ? variant.fen960 : '');
    if (!from) return variant;
    const asked = { moves: [], fen: from, chess960: shuffled };
    /** @type {TriedLine} */
    const { fen: startFen, legal } = await requestJson(`/api/variants/${variant.id}/line`, 'POST', asked);
    return { ...variant, startFen, legal, shuffled, given: true };
  }

  /** @param {string} key @param {VariantAtStart} start */
  #add(key, start) {
    const live = new LiveBoard(start, this.#say, this.#label(start));
    const free = new FreePlay(live, start, line => {
      trial.line = line ?? trial.line;
      this.#onLine();
    });
    /** @type {Trial} */
    const trial = { live, free, line: null };
    this.#trials.set(key, trial);
    this.#place.append(live.element);
    free.begin();
  }
}

/**
 * What this browser knows of somebody's puzzles: for a guest their standing and which puzzles they have had, by form. For an
 * account the server keeps it.
 *
 * @typedef {{value: number, deviation: number, volatility: number, tried: number, at: number, solved: number, streak: number, best: number}} Standing
 *   value, deviation, volatility: as in Glicko-2; tried, solved: puzzles, the latter at the first try; at: ms; streak: solved in a row
 * @typedef {{standing?: Standing, had: string[]}} Kept
 */
import { siteStorage } from '../storage.js';

const KEY = 'puzzles';
/** Ids that the server takes at once (server: web/puzzles.py). */
const MOST_HAD = 400;

export class Remembered {
  #form;
  #guest = !('member' in document.documentElement.dataset);
  /** @type {Record<string, Kept>} */
  #kept = siteStorage.json(KEY) ?? {};

  /** @param {string} form */
  constructor(form) {
    this.#form = form;
  }

  /** @returns {Kept} */
  get #own() {
    return this.#kept[this.#form] ?? { had: [] };
  }

  /** What to tell the server when asking for another puzzle. @returns {{tried?: string[], standing?: Standing}} */
  get asking() {
    if (!this.#guest) return {};
    const { had, standing } = this.#own;
    return { tried: had, ...(standing ? { standing } : {}) };
  }

  /** What to tell the server with a try: nothing, if it is not a guest's first at that puzzle. @param {string} puzzle @returns {{standing?: object}} */
  trying(puzzle) {
    return this.#guest && !this.#own.had.includes(puzzle) ? { standing: this.#own.standing ?? {} } : {};
  }

  /** @param {string} puzzle @param {Standing} standing */
  keep(puzzle, standing) {
    if (!this.#guest) return;
    this.#kept[this.#form] = { standing, had: [...this.#own.had, puzzle].slice(-MOST_HAD) };
    siteStorage.set(KEY, JSON.stringify(this.#kept));
  }
}

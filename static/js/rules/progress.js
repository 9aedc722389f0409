/**
 * Which steps of the lessons are done: kept in the account of whoever is signed in, and in this browser for everybody
 * else. What a guest has done goes into the account once they have one: the solving moves are judged again for that.
 *
 * @typedef {Record<string, Record<string, string>>} Kept   by lesson and step, the move that solved it, UCI
 */
import { requestJson } from '../net/requests.js';
import { siteStorage } from '../storage.js';

const KEY = 'lessons';

export class Progress {
  #member = 'member' in document.documentElement.dataset;
  /** @type {Kept} */
  #kept = siteStorage.json(KEY) ?? {};
  #account;

  /** @param {Record<string, string[]>} [account] by lesson, as the account has it; a page that does not know it asks */
  constructor(account = {}) {
    this.#account = account;
  }

  /** Asks for what the account has. @returns {Promise<void>} */
  async load() {
    if (!this.#member) return;
    const { done } = await requestJson('/api/me/lessons').catch(() => ({ done: {} }));
    this.#account = done;
  }

  /** Brings what this browser has of a lesson into the account. @param {string} lesson @returns {Promise<void>} */
  async bring(lesson) {
    for (const [step, uci] of this.#member ? Object.entries(this.#kept[lesson] ?? {}) : []) {
      const answer = this.#isInAccount(lesson, step) ? {} : await judge(lesson, step, uci).catch(() => null);
      if (answer) this.#forget(lesson, step);
    }
  }

  /** Whether that step is done. @param {string} lesson @param {string} step */
  has(lesson, step) {
    return this.#isInAccount(lesson, step) || this.#kept[lesson]?.[step] !== undefined;
  }

  /** @param {string} lesson @param {string} step */
  #isInAccount(lesson, step) {
    return this.#account[lesson]?.includes(step) ?? false;
  }

  /** How many of these steps are done. @param {string} lesson @param {string[]} steps */
  count(lesson, steps) {
    return steps.filter(step => this.has(lesson, step)).length;
  }

  /** The server has judged that the move solves the step. @param {string} lesson @param {string} step @param {string} uci */
  note(lesson, step, uci) {
    if (this.#member) this.#account[lesson] = [...(this.#account[lesson] ?? []), step];
    else {
      this.#kept[lesson] = { ...this.#kept[lesson], [step]: uci };
      siteStorage.set(KEY, JSON.stringify(this.#kept));
    }
  }

  /** @param {string} lesson @param {string} step */
  #forget(lesson, step) {
    if (!this.#isInAccount(lesson, step)) this.note(lesson, step, '');
    delete this.#kept[lesson][step];
    siteStorage.set(KEY, JSON.stringify(this.#kept));
  }
}

/**
 * @typedef {{uci: string, fen: string, check: boolean}} After
 * @typedef {After & {solved: boolean, said: string, reply: After | null}} TaskVerdict
 * @param {string} lesson @param {string} step @param {string} move UCI @returns {Promise<TaskVerdict>} @throws {RequestFailed}
 */
export const judge = (lesson, step, move) => requestJson(`/api/lessons/${lesson}/${step}`, 'POST', { move });

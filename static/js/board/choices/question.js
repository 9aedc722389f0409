/**
 * A gesture that can mean several moves, and the one question about it that can be open at a time. Knows no element.
 *
 * @import { Option } from '../gestures.js'
 * @import { Color } from '../variant.js'
 *
 * @typedef {object} Question
 * @property {Option[]} options   at least one
 * @property {string | null} from   null: a piece of the pocket is to be dropped, and which is asked even if there is one kind
 * @property {string} to
 * @property {Color} color   of the pieces to choose from
 * @property {AbortSignal} signal   aborted when the question is answered or out of date
 *
 * @typedef {(question: Question) => Promise<Option | null>} Choose   null: the person has changed their mind
 */

export class Questions {
  #choose;
  /** @type {{about: 'move' | 'premove', controller: AbortController} | null} */
  #open = null;

  /** @param {Choose} choose */
  constructor(choose) {
    this.#choose = choose;
  }

  /** @returns {'move' | 'premove' | null} what the open question is about */
  get about() {
    return this.#open?.about ?? null;
  }

  /** Closes the open question: what it was about is out of date. */
  abort() {
    this.#open?.controller.abort();
    this.#open = null;
  }

  /**
   * @param {'move' | 'premove'} about @param {Omit<Question, 'signal'>} question with any number of options
   * @returns {Promise<Option | null | 'outdated'>} null: nothing is meant
   */
  async ask(about, question) {
    this.abort();
    const { options, from } = question;
    if (options.length < 2 && from) return options[0] ?? null;
    const controller = new AbortController();
    this.#open = { about, controller };
    const chosen = await this.#choose({ ...question, signal: controller.signal });
    if (controller.signal.aborted) return 'outdated';
    this.abort();
    return chosen;
  }
}

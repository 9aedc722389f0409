/**
 * The seat opposite, if the computer has it: what plays there is loaded only then. Knows nothing of how it plays.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { GamePage } from '../pages/on_request/computer_opponent.js'
 */
import { t } from '../words.js';

/**
 * @typedef {{script: string, words: string, engine: string}} ComputerFacts   addresses, which the server has put into the page
 * @typedef {Omit<GamePage, 'engine' | 'stuck' | 'variant'>} PageParts
 */

export class ComputerSeat {
  /** @type {{follow: () => void, refused: (id?: number) => void} | null} */
  #computer = null;
  #stuck = false;
  #parts;

  /** @param {{variant: Variant, computer?: ComputerFacts}} facts without addresses a person has it @param {PageParts} parts */
  constructor({ variant, computer }, parts) {
    this.#parts = parts;
    if (computer) void this.#fetch(variant, computer);
  }

  /** @param {Variant} variant @param {ComputerFacts} addresses */
  async #fetch(variant, { script, words, engine }) {
    const stuck = () => {
      this.#stuck = true;
      this.#parts.replay.goTo(Infinity);
    };
    try {
      const [code] = await Promise.all([import(script), import(words)]);
      const { sitDown } = /** @type {typeof import('../pages/on_request/computer_opponent.js')} */ (code);
      this.#computer = await sitDown({ ...this.#parts, variant, engine, stuck });
    } catch {
      stuck();
    }
  }

  /** The game, or what is shown of it, may have changed. */
  follow() {
    this.#computer?.follow();
    if (this.#stuck && !this.#parts.state().ended) this.#parts.notices.remark(t('computer.stuck'));
  }

  /** @param {import('../net/wire.js').GameOutbound} message */
  happened(message) {
    if (message.t === 'error') this.#computer?.refused(message.id);
  }
}

/** The field for typed moves: reads what was typed as one of the legal moves, or says why it is none. Knows no game. */
import { readMove } from '../game/read_move.js';
import { t } from '../words.js';
import { byId, element } from './dom.js';

export class TypedMoves {
  #options;
  #input = element('move-text', HTMLInputElement);
  #problem = byId('move-problem');

  /**
   * @param {object} options
   * @param {import('../board/variant.js').Variant} options.variant
   * @param {() => Promise<void>} [options.ready]   when `legal` and `position` are known, if that may take a while
   * @param {() => string[] | null} options.legal   UCI; null: it is not this person's turn
   * @param {() => import('../board/position.js').Position} options.position   the newest
   * @param {(uci: string) => void} options.play
   */
  constructor(options) {
    this.#options = options;
    element('move-entry', HTMLFormElement).addEventListener('submit', event => {
      event.preventDefault();
      void this.#submit();
    });
  }

  async #submit() {
    this.#problem.textContent = '';
    await this.#options.ready?.();
    if (this.#input.value.trim()) this.#problem.textContent = this.#enter();
  }

  /** @returns {string} what is wrong with it; '' when it was played */
  #enter() {
    const { variant, legal, position, play } = this.#options;
    const moves = legal();
    if (!moves) return t('round.not_your_turn');
    const entry = readMove(this.#input.value, variant, position(), moves);
    if ('problem' in entry) return entry.problem;
    this.#input.value = '';
    play(entry.uci);
    return '';
  }
}

/** The field for typed moves: finds the legal move that was typed, or says why there is none. Knows no game. */
import { readMove } from '../../game/read_move.js';
import { t } from '../../words.js';
import { byId, element, formById, onSubmit } from '../dom.js';

export class TypedMoves {
  #options;
  #input = element('move-text', HTMLInputElement);
  #problem = byId('move-problem');
  /** Done once all that was typed so far has been played or refused. */
  #entered = Promise.resolve();

  /**
   * @param {object} options
   * @param {import('../../board/variant.js').Variant} options.variant
   * @param {() => Promise<void>} [options.ready]   resolves once `legal` and `position` are known
   * @param {() => string[] | null} options.legal   UCI; null: it is not this person's turn
   * @param {() => import('../../board/position.js').Position} options.position   the latest
   * @param {(uci: string) => void} options.play
   */
  constructor(options) {
    this.#options = options;
    onSubmit(formById('move-entry'), () => this.#submit());
    this.#input.addEventListener('keydown', ({ key }) => key === 'Escape' && this.#leave());
  }

  /** Takes out what is in the field, or leaves the empty field for the board. */
  #leave() {
    if (!this.#input.value) byId('board').focus();
    this.#input.value = '';
    this.#problem.textContent = '';
  }

  #submit() {
    const text = this.#input.value.trim();
    this.#problem.textContent = '';
    this.#input.value = '';
    if (text) this.#entered = this.#entered.then(() => this.#take(text));
  }

  /**
   * Plays what was typed, after what was typed before.
   *
   * @param {string} text
   */
  async #take(text) {
    await this.#options.ready?.();
    this.#problem.textContent = this.#enter(text);
    // Whoever goes on typing meanwhile keeps what they type.
    if (this.#problem.textContent) this.#input.value ||= text;
  }

  /**
   * @param {string} text
   * @returns {string} why it was not played; '' if it was
   */
  #enter(text) {
    const { variant, legal, position, play } = this.#options;
    const moves = legal();
    if (!moves) return t('round.not_your_turn');
    const entry = readMove(text, variant, position(), moves);
    if ('problem' in entry) return entry.problem;
    play(entry.uci);
    return '';
  }
}

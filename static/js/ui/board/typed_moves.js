/** The field for typed moves: finds the legal move that was typed, or says why there is none. What reads moves is loaded when
 * somebody comes to the field. Knows no game. */
import { t } from '../../words.js';
import { byId, element, formById, onSubmit } from '../dom.js';

export class TypedMoves {
  #options;
  #input = element('move-text', HTMLInputElement);
  #problem = byId('move-problem');
  #form = formById('move-entry');
  /** @type {Promise<typeof import('../../game/read_move.js')> | null} */
  #reader = null;
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
    onSubmit(this.#form, () => this.#submit());
    // Ready before the first move is typed; what fails now is tried again with the move.
    this.#input.addEventListener('focus', () => this.#load().catch(() => {}));
    this.#input.addEventListener('keydown', ({ key }) => key === 'Escape' && this.#leave());
  }

  #load() {
    const { script = '' } = this.#form.dataset;
    this.#reader ??= import(script).catch(error => {
      this.#reader = null;
      throw error;
    });
    return this.#reader;
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
    this.#problem.textContent = await this.#load().then(
      reader => this.#enter(reader, text),
      () => this.#form.dataset.failed ?? '',
    );
    // Whoever goes on typing meanwhile keeps what they type.
    if (this.#problem.textContent) this.#input.value ||= text;
  }

  /**
   * @param {typeof import('../../game/read_move.js')} reader
   * @param {string} text
   * @returns {string} why it was not played; '' if it was
   */
  #enter(reader, text) {
    const { variant, legal, position, play } = this.#options;
    const moves = legal();
    if (!moves) return t('round.not_your_turn');
    const entry = reader.readMove(text, variant, position(), moves);
    if ('problem' in entry) return entry.problem;
    play(entry.uci);
    return '';
  }
}

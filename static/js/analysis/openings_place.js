/**
 * The place of the opening explorer at the analysis board. It is loaded when somebody opens it, and asks only while it is in
 * sight.
 *
 * @import { Openings } from '../openings/openings.js'
 * @import { Page } from './insight.js'
 */
import { nodeAt } from '../game/tree.js';
import { byId, element } from '../ui/dom.js';

export class OpeningsPlace {
  #page;
  #details = element('openings', HTMLDetailsElement);
  /** @type {Promise<Openings> | null} */
  #loading = null;

  /** @param {Pick<Page, 'variant' | 'study' | 'move'>} page */
  constructor(page) {
    this.#page = page;
    this.#details.addEventListener('toggle', () => void this.render());
  }

  /** The page shows something, perhaps the same as before. */
  async render() {
    if (!this.#details.open || byId('set-up').hidden) return;
    try {
      this.#loading ??= this.#load();
      const openings = await this.#loading;
      const { tree, at, chess960 } = this.#page.study();
      openings.show({ fen: nodeAt(tree, at).fen, chess960 });
    } catch {
      this.#loading = null;
      byId('openings-body').textContent = this.#details.dataset.failed ?? '';
    }
  }

  /** @returns {Promise<Openings>} */
  async #load() {
    const { variant, move } = this.#page;
    const code = await import(this.#details.dataset.script ?? '');
    return new code.Openings(variant.id, byId('openings-body'), (/** @type {string} */ uci) => void move(uci));
  }
}

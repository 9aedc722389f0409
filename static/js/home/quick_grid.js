/**
 * The grid of times for quick pairing: one press seeks an opponent, and each time says how many wait for just that.
 *
 * @import { SeekView as Seek } from '../net/wire.js'
 * @typedef {{variants: string[], chess960: boolean, rated: boolean}} Sought
 */
import { t } from '../words.js';

export class QuickGrid {
  /** @type {HTMLElement[]} */
  #tiles;

  /** @param {HTMLElement} grid @param {(clock: string) => void} press */
  constructor(grid, press) {
    this.#tiles = [.../** @type {NodeListOf<HTMLElement>} */ (grid.querySelectorAll('[data-clock]'))];
    for (const tile of this.#tiles) tile.addEventListener('click', () => press(tile.dataset.clock ?? ''));
  }

  /** @param {Seek[]} seeks of others @param {Sought} sought */
  count(seeks, sought) {
    for (const tile of this.#tiles) {
      const n = seeks.filter(seek => isAnswer(seek, tile.dataset.clock ?? '', sought)).length;
      const words = n ? t('lobby.n_wait', { n }) : (tile.dataset.speed ?? '');
      const place = /** @type {HTMLElement} */ (tile.querySelector('small'));
      if (place.textContent !== words) place.textContent = words;
      place.classList.toggle('waits', n > 0);
    }
  }
}

/** Whether that seek would be answered by this one. @param {Seek} seek @param {string} wanted the clock @param {Sought} sought */
function isAnswer({ clock, variants, chess960, rated }, wanted, sought) {
  const common = !variants || variants.some(one => sought.variants.includes(one));
  return clock === wanted && common && !!chess960 === sought.chess960 && !!rated === sought.rated;
}

/**
 * Which engine speaks: the site's own, or Fairy-Stockfish where somebody wants it, the browser can run it and the variant can be
 * said to it. Where it cannot, it says why. Nothing of Fairy-Stockfish is loaded before it is to speak.
 *
 * @import { Heard } from './engine_worker.js'
 * @import { StrongEngine } from './strong_engine.js'
 */
import { byId, create, createLink, setText } from '../ui/dom.js';
import { t } from '../words.js';

const STRONG = 'Fairy-Stockfish';
const SOURCE = 'https://github.com/fairy-stockfish/fairy-stockfish.wasm';

export class StrongChoice {
  /** The name of the engine that speaks. */
  name = create('span', '');
  #select = create('select', '');
  #note = Object.assign(create('p', 'engine-note'), { role: 'status' });
  #label = create('label', '', create('span', '', `${t('engine.choose')} `), this.#select);
  element = create('div', 'engine-choice', this.#label, this.#note);
  /** Does it speak? */
  #speaks = false;
  /** Has it come to an end by itself? */
  #failed = false;

  /** @param {boolean} wanted @param {() => void} changed somebody chose @param {string} place where on the page it is chosen */
  constructor(wanted, changed, place) {
    this.#select.id = `${place}-choice`;
    this.#note.id = `${place}-note`;
    // @ts-expect-error: the build puts it in (static/build.mjs)
    const megabytes = /** @type {string} */ (MEGABYTES);
    for (const words of [t('engine.title'), t('engine.strong', { megabytes })])
      this.#select.append(create('option', '', words));
    this.#select.selectedIndex = wanted ? 1 : 0;
    this.#show('');
    this.#select.addEventListener('change', () => {
      // Whoever chose by mouse goes on with the keys of the page.
      if (!this.#select.matches(':focus-visible')) this.#select.blur();
      this.#failed = false;
      changed();
    });
  }

  get wanted() {
    return this.#select.selectedIndex === 1;
  }

  /** Somebody else chose, as by a link. @param {boolean} strong */
  choose(strong) {
    this.#select.selectedIndex = strong ? 1 : 0;
  }

  /**
   * What begins Fairy-Stockfish for a variant; null if the site's own engine is to speak.
   * @param {{fairyStockfish?: {name?: string, ini?: string, cannot?: string}}} rules @param {number} [threads]
   * @returns {Promise<((heard: Heard) => StrongEngine) | null>}
   */
  async opener({ fairyStockfish: { name = '', ini = '', cannot = '' } = {} }, threads) {
    this.#speaks = false;
    if (!this.wanted) return this.#show('');
    if (this.#failed) return this.#show(t('engine.strong_failed'));
    if (!ini) return this.#show(t(cannot === 'board' ? 'engine.cannot_board' : 'engine.cannot_rules'));
    if (!globalThis.crossOriginIsolated) return this.#show(t('engine.strong_not_here'));
    const { strong = '', strongFiles = '' } = byId('engine').dataset;
    const { StrongEngine } = await import(strong);
    this.#speaks = true;
    this.#show('');
    this.#note.append(createLink('as-text', SOURCE, t('engine.strong_source')));
    return heard => new StrongEngine(strongFiles.split(' '), { name, ini }, heard, threads);
  }

  /** The engine that spoke has failed. @returns {boolean} whether it was this one, so that the other can go on */
  gaveUp() {
    this.#failed = this.#speaks;
    return this.#speaks;
  }

  /** @param {string} note @returns {null} */
  #show(note) {
    setText(this.name, this.#speaks ? STRONG : t('engine.title'));
    setText(this.#note, note);
    return null;
  }
}

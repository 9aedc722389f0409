/**
 * Tabs over panels of one page, of which one is in sight: by click, by arrow keys, and from the script. Knows nothing of
 * what is in the panels.
 */
import { byId } from './dom.js';

export class Tabs {
  #tabs;
  #changed;

  /** @param {HTMLElement} list role="tablist" @param {() => void} changed another panel is in sight */
  constructor(list, changed = () => {}) {
    this.#tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
    this.#changed = changed;
    list.addEventListener('click', ({ target }) => {
      const tab = target instanceof Element ? target.closest('[role="tab"]') : null;
      if (tab) this.choose(tab.id);
    });
    list.addEventListener('keydown', event => this.#key(event));
  }

  /** The id of the chosen tab. */
  get chosen() {
    return this.#tabs.find(tab => tab.ariaSelected === 'true')?.id ?? '';
  }

  /** Brings the panel of that tab into sight, if this page has it. @param {string} id */
  choose(id) {
    if (id === this.chosen || !this.#tabs.some(tab => tab.id === id)) return;
    for (const tab of this.#tabs) {
      const chosen = tab.id === id;
      tab.ariaSelected = String(chosen);
      tab.tabIndex = chosen ? 0 : -1;
      byId(tab.getAttribute('aria-controls') ?? '').hidden = !chosen;
    }
    this.#changed();
  }

  /** The same, and goes to a field in it. @param {string} id @param {string} field its id */
  goTo(id, field) {
    this.choose(id);
    byId(field).focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const at = this.#tabs.findIndex(tab => tab.id === this.chosen);
    const last = this.#tabs.length - 1;
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: at ? at - 1 : last, ArrowRight: at === last ? 0 : at + 1, Home: 0, End: last };
    const tab = this.#tabs[places[event.key]];
    if (!tab || event.ctrlKey || event.altKey || event.metaKey) return;
    // Elsewhere on the page these keys step through the moves.
    event.stopPropagation();
    event.preventDefault();
    this.choose(tab.id);
    tab.focus();
  }
}

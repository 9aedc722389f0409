/**
 * The place of the engine beside a board: loads its switch, words and style when it may be asked, unless the page has them
 * from the start, and keeps room for what was chosen, so that nothing moves when they come. What is behind the switch is
 * loaded by the switch.
 *
 * @import { EngineSwitch } from './engine_switch.js'
 * @import { Host } from './explainer.js'
 */
import { byId, loadStyle } from '../ui/dom.js';
import { chosenOfEngine } from './remembered.js';

export class EnginePlace {
  #host;
  #own;
  #section = byId('engine');
  #allowed = false;
  #asked = false;
  /** @type {EngineSwitch | null} */
  #switch = null;

  /** @param {Host} host @param {typeof EngineSwitch} [own] of a page that has it, its words and its style from the start */
  constructor(host, own) {
    this.#host = host;
    this.#own = own;
  }

  /** The page shows something. @param {boolean} [allowed] whether the engine may be asked about it */
  render(allowed = true) {
    this.#allowed = allowed;
    this.#section.hidden = !allowed;
    if (allowed && !this.#asked) void this.#load();
    this.#switch?.render(allowed);
  }

  async #load() {
    this.#asked = true;
    const { on, lines } = chosenOfEngine();
    this.#section.toggleAttribute('data-on', on);
    this.#section.style.setProperty('--lines', String(lines));
    const { switch: script = '', words = '', style = '', failed = '' } = this.#section.dataset;
    if (this.#own) {
      this.#switch = new this.#own(this.#host);
      return;
    }
    try {
      const [code] = await Promise.all([import(script), import(words), loadStyle(style)]);
      this.#switch = new code.EngineSwitch(this.#host);
      this.#switch?.render(this.#allowed);
    } catch {
      this.#section.textContent = failed;
    }
  }
}

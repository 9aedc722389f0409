/**
 * The switch of the engine beside a board, and what is chosen about it: both are remembered in this browser. All that is behind
 * the switch is loaded when it is on for the first time.
 *
 * @import { Explainer, Host, Wish } from './explainer.js'
 */
import { RequestFailed, requestJson } from '../net/requests.js';
import { siteStorage } from '../storage.js';
import { buttonById, byId, element, setText } from '../ui/dom.js';
import { onKeys } from '../ui/keys.js';
import { t } from '../words.js';

const KEY = 'engine';
const MOST_LINES = 5;

export class EngineSwitch {
  #host;
  #section = byId('engine');
  #box = element('engine-on', HTMLInputElement);
  #lines = element('engine-lines', HTMLSelectElement);
  #threat = buttonById('engine-threat');
  #deeper = buttonById('engine-deeper');
  /** @type {Explainer | null} */
  #explainer = null;
  /** Which time it was switched: what arrives for an earlier one is dropped. */
  #time = 0;
  #isThreat = false;
  /** The position in which it looks deeper. */
  #deeperAt = '';

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    const { on = false, lines } = siteStorage.json(KEY) ?? {};
    this.#lines.value = String(
      lines >= 1 && lines <= MOST_LINES ? lines : matchMedia('(max-width: 599px)').matches ? 1 : 3,
    );
    this.#box.checked = on === true;
    this.#box.addEventListener('change', () => this.#switched());
    this.#lines.addEventListener('change', () => {
      // Whoever chose by mouse goes on with the keys of the page.
      if (!this.#lines.matches(':focus-visible')) this.#lines.blur();
      this.#wished();
    });
    this.#threat.addEventListener('click', () => this.#toggleThreat());
    this.#deeper.addEventListener('click', () => {
      this.#deeperAt = this.#host.shown().fen;
      this.#wished();
    });
    onKeys({
      e: () => {
        if (this.#section.hidden) return;
        this.#box.checked = !this.#box.checked;
        this.#switched();
      },
      x: () => this.#toggleThreat(),
    });
    this.#show();
  }

  /** The page shows something; whether the engine may be asked about it. @param {boolean} [allowed] */
  render(allowed = true) {
    this.#section.hidden = !allowed;
    if (allowed && this.#box.checked && !this.#time) void this.#begin();
    if (!allowed) return;
    const deeper = this.#deeperAt === this.#host.shown().fen;
    this.#deeper.disabled = deeper;
    if (!deeper && this.#deeperAt) {
      this.#deeperAt = '';
      this.#explainer?.follow(this.#wish);
    } else this.#explainer?.render();
  }

  /** @returns {Wish} */
  get #wish() {
    return { lines: Number(this.#lines.value), threat: this.#isThreat, deeper: this.#deeperAt !== '' };
  }

  #switched() {
    this.#remember();
    this.#show();
    if (this.#box.checked) void this.#begin();
    else this.#end();
  }

  #wished() {
    this.#remember();
    this.#show();
    this.#explainer?.follow(this.#wish);
  }

  #toggleThreat() {
    if (!this.#box.checked || this.#section.hidden) return;
    this.#isThreat = !this.#isThreat;
    this.#wished();
  }

  #remember() {
    siteStorage.set(KEY, JSON.stringify({ on: this.#box.checked, lines: Number(this.#lines.value) }));
  }

  #show() {
    this.#section.toggleAttribute('data-on', this.#box.checked);
    this.#section.dataset.lines = this.#lines.value;
    this.#threat.setAttribute('aria-pressed', String(this.#isThreat));
    this.#deeper.disabled = this.#deeperAt !== '';
  }

  async #begin() {
    const time = ++this.#time;
    const { script = '', worker = '' } = this.#section.dataset;
    const state = byId('engine-state');
    setText(state, t('engine.loads'));
    try {
      const [code, rules] = await Promise.all([
        import(script),
        requestJson(`/api/variants/${this.#host.variant.id}`, 'GET'),
      ]);
      if (time !== this.#time) return;
      this.#explainer = new code.Explainer(this.#host, worker, rules, this.#wish, () => this.#fail());
    } catch (error) {
      if (!(error instanceof RequestFailed)) console.error(error);
      if (time === this.#time) this.#fail();
    }
  }

  #fail() {
    this.#end();
    setText(byId('engine-state'), t('engine.failed'));
  }

  #end() {
    this.#time++;
    this.#explainer?.end();
    this.#explainer = null;
  }
}

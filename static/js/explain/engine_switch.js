/**
 * The switch of the engine beside a board, and what is chosen about it: both are remembered in this browser. All that is behind
 * the switch is loaded when it is on for the first time.
 *
 * @import { Heard } from './engine_worker.js'
 * @import { Explainer, Host, Wish } from './explainer.js'
 * @import { ReportBeside } from '../report/report_beside.js'
 */
import { RequestFailed, requestJson } from '../net/requests.js';
import { byId, create, createButton, createLink, setText } from '../ui/dom.js';
import { onKeys } from '../ui/keys.js';
import { t } from '../words.js';
import { FairPlay } from './fair_play.js';
import { chooseOfEngine, chosenOfEngine } from './remembered.js';
import { StrongChoice } from './strong_choice.js';

const MOST_LINES = 5;

export class EngineSwitch {
  #host;
  #section = byId('engine');
  #box = Object.assign(create('input', 'switch'), { type: 'checkbox', id: 'engine-on' });
  #lines = Object.assign(create('select', ''), { id: 'engine-lines' });
  #threat = createButton('', () => this.#toggleThreat(), t('engine.threat'));
  #deeper = createButton('', () => this.#lookDeeper(), t('engine.deeper'));
  #report = createButton('text-button', () => void this.#showReport(), t('game_report.tab'));
  /** @type {ReportBeside | null} */
  #beside = null;
  #choice;
  /** @type {Explainer | null} */
  #explainer = null;
  /** Which time it was switched: what arrives for an earlier one is dropped. */
  #time = 0;
  #isThreat = false;
  /** May it be asked about what the page shows, as that says? */
  #allowed = false;
  /** Why it is silent all the same; null: it is not. @type {string | null} */
  #silent = null;
  #fairPlay = new FairPlay(() => this.#keepFair());
  /** The position in which it looks deeper. */
  #deeperAt = '';

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    const { on, lines, strong } = chosenOfEngine();
    this.#choice = new StrongChoice(strong, () => this.#chose(), 'engine');
    this.#draw();
    this.#lines.value = String(lines);
    this.#box.checked = on;
    this.#box.addEventListener('change', () => this.#switched());
    this.#lines.addEventListener('change', () => {
      // Whoever chose by mouse goes on with the keys of the page.
      if (!this.#lines.matches(':focus-visible')) this.#lines.blur();
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
    this.#allowed = allowed;
    this.#beside?.render();
    if (allowed && this.#box.checked && !this.#time) void this.#begin();
    if (!allowed || this.#keepFair()) return;
    const deeper = this.#deeperAt === this.#host.shown().fen;
    this.#deeper.disabled = deeper;
    if (!deeper && this.#deeperAt) {
      this.#deeperAt = '';
      this.#explainer?.follow(this.#wish);
    } else this.#explainer?.render();
  }

  #draw() {
    for (let n = 1; n <= MOST_LINES; n++) this.#lines.append(create('option', '', String(n)));
    this.#box.setAttribute('aria-keyshortcuts', 'E');
    this.#threat.setAttribute('aria-keyshortcuts', 'X');
    this.#threat.id = 'engine-threat';
    this.#deeper.id = 'engine-deeper';
    const score = Object.assign(create('output', ''), { id: 'engine-score', ariaLive: 'off' });
    const state = Object.assign(create('p', ''), { id: 'engine-state' });
    const count = create('label', '', `${t('engine.lines')} `, this.#lines);
    const label = create('label', 'switched', this.#box, this.#choice.name);
    this.#report.id = 'engine-report';
    const report = this.#host.over && this.#section.dataset.reportScript ? [this.#report] : [];
    const body = create('div', 'engine-body');
    body.id = 'engine-body';
    const ways = create('div', 'engine-ways', this.#choice.element, this.#deeper, this.#threat, count);
    this.#section.append(create('div', 'engine-head', label, state, ...report, score), body, ways);
  }

  /** Has it made beside the moves, or hides it again. */
  async #showReport() {
    const { over, variant } = this.#host;
    const { reportScript = '', worker = '', report: whole = '', failed = '' } = this.#section.dataset;
    if (this.#report.disabled || !over) return;
    const shown = this.#report.ariaExpanded !== 'true';
    this.#report.disabled = true;
    try {
      if (!this.#beside) {
        const code = await import(reportScript);
        this.#beside = new code.ReportBeside(variant, over, { worker, whole });
      }
      this.#report.ariaExpanded = String(shown);
      this.#beside?.show(shown);
    } catch {
      setText(byId('status'), failed);
    }
    this.#report.disabled = false;
  }

  #lookDeeper() {
    this.#deeperAt = this.#host.shown().fen;
    this.#wished();
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

  #chose() {
    this.#remember();
    if (!this.#box.checked) return;
    this.#end();
    void this.#begin();
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
    chooseOfEngine({ on: this.#box.checked, lines: Number(this.#lines.value), strong: this.#choice.wanted });
  }

  #show() {
    this.#section.toggleAttribute('data-on', this.#box.checked);
    this.#section.style.setProperty('--lines', this.#lines.value);
    this.#threat.setAttribute('aria-pressed', String(this.#isThreat));
    this.#deeper.disabled = this.#deeperAt !== '';
  }

  /** Silences it, or lets it go on, as games of the reader's allow. @returns {boolean} whether it is silent */
  #keepFair() {
    if (!this.#allowed) return false;
    const { chess960, fens } = this.#host.shown();
    const { id, startFen } = this.#host.variant;
    const reason = this.#fairPlay.reason({ variant: id, startFen, chess960, fens: fens() });
    if (reason === this.#silent) return reason !== null;
    this.#silent = reason;
    if (!this.#box.checked) return reason !== null;
    if (reason) this.#fallSilent(reason);
    else void this.#begin();
    return reason !== null;
  }

  /** @param {string} reason */
  #fallSilent(reason) {
    this.#end();
    byId('engine-state').replaceChildren(`${t(reason)} `, createLink('', '/fair-play', t('engine.fair_play')));
  }

  async #begin() {
    const time = ++this.#time;
    this.#silent = null;
    const { script = '', worker = '' } = this.#section.dataset;
    const state = byId('engine-state');
    setText(state, t('engine.loads'));
    try {
      const [code, rules] = await Promise.all([
        import(script),
        requestJson(`/api/variants/${this.#host.variant.id}`, 'GET'),
        this.#fairPlay.ask(),
      ]);
      if (time !== this.#time || this.#keepFair()) return;
      const strong = await this.#choice.opener(rules);
      if (time !== this.#time) return;
      const open = strong ?? ((/** @type {Heard} */ heard) => new code.EngineWorker(worker, rules, heard));
      this.#explainer = new code.Explainer(this.#host, rules, open, this.#wish, () => this.#fail(), worker);
    } catch (error) {
      if (time !== this.#time) return;
      if (!(error instanceof RequestFailed)) {
        console.error(error);
        return this.#fail();
      }
      // A line that is lost says nothing of the engine.
      this.#end();
      setText(state, t('engine.failed'));
    }
  }

  #fail() {
    this.#end();
    // There is still the other one.
    if (this.#choice.gaveUp()) return void this.#begin();
    setText(byId('engine-state'), t('engine.failed'));
  }

  #end() {
    this.#time++;
    this.#explainer?.end();
    this.#explainer = null;
  }
}

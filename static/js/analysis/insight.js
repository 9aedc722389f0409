/**
 * What is known at the analysis board: what the engine has to say about the position that is shown and about the whole game,
 * and what was played from there. All of it but the engine's switch is loaded only when somebody asks.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { GameReport } from '../report/game_report.js'
 * @import { AnalysisBoard } from './analysis_board.js'
 * @import { Study } from './study.js'
 *
 * @typedef {object} Page
 * @property {Variant} variant
 * @property {AnalysisBoard} board
 * @property {() => Study} study
 * @property {(uci: string) => Promise<void>} move   makes it in the shown position; then `study` shows another one, unless it was refused
 * @property {(id: number) => void} go   shows that node of the tree
 * @property {import('../ui/tabs.js').Tabs} tabs
 */
import { EnginePlace } from '../explain/engine_place.js';
import { EngineSwitch } from '../explain/engine_switch.js';
import { buttonById, byId, setText } from '../ui/dom.js';
import { engineHost } from './engine_host.js';
import { OpeningsPlace } from './openings_place.js';
import { linkToReport } from './report_link.js';

export class Insight {
  #page;
  #engine;
  #openings;
  /** @type {Promise<GameReport> | null} */
  #loading = null;
  /** @type {GameReport | null} */
  #report = null;
  /** Is a move looked for, so that nothing may tell of it? */
  #asks = false;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
    this.#engine = new EnginePlace(engineHost(page), EngineSwitch);
    this.#openings = new OpeningsPlace(page);
    buttonById('report-make').addEventListener('click', () => void this.report());
  }

  /** The page shows something, perhaps the same as before, or another tab. */
  render() {
    this.#engine.render(!this.#asks);
    this.#report?.render();
    void this.#openings.render();
  }

  /** Brings the report of what is on the board into sight. */
  async report() {
    this.#page.tabs.choose('tab-report');
    try {
      this.#loading ??= this.#load();
      this.#report = await this.#loading;
    } catch {
      this.#loading = null;
      return setText(byId('report-state'), byId('report').dataset.failed ?? '');
    }
    await this.#report.open();
  }

  /** @returns {Promise<GameReport>} */
  async #load() {
    const { script = '' } = byId('report').dataset;
    const { variant, study, go } = this.#page;
    const code = await import(script);
    const ask = (/** @type {boolean} */ asks) => {
      this.#asks = asks;
      this.#engine.render(!asks);
    };
    const link = () => linkToReport(study(), variant, location);
    return new code.GameReport({ variant, study, go, ask, link }, byId('engine').dataset.worker ?? '');
  }
}

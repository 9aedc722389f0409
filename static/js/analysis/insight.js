/**
 * What is known at the analysis board: what the engine has to say about the position that is shown and about the whole game,
 * and what was played from there. All of it but the engine's switch is loaded only when somebody asks.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { Host } from '../explain/explainer.js'
 * @import { Openings } from '../openings/openings.js'
 * @import { GameReport } from '../report/game_report.js'
 * @import { Mark } from '../report/judgement.js'
 * @import { AnalysisBoard } from './analysis_board.js'
 * @import { Maker } from './report_link.js'
 * @import { Study } from './study.js'
 * @typedef {object} Page
 * @property {Variant} variant
 * @property {AnalysisBoard} board
 * @property {() => Study} study
 * @property {(uci: string) => Promise<void>} move   makes it in the shown position; then `study` shows another one, unless it was refused
 * @property {(id: number) => void} go   shows that node of the tree
 * @property {import('../ui/tabs.js').Tabs} tabs
 * @property {() => void} marked   there are other marks of a report than before
 */
import { EnginePlace } from '../explain/engine_place.js';
import { EngineSwitch } from '../explain/engine_switch.js';
import { chooseOfEngine, chosenOfEngine } from '../explain/remembered.js';
import { StrongChoice } from '../explain/strong_choice.js';
import { buttonById, byId, element, setText } from '../ui/dom.js';
import { linkToReport } from './report_link.js';
import { fensTo, nodeAt, recentPath, repeatablePath } from '../game/tree.js';

/** Half-moves before the shown position that the explorer is told of: what follows from a game in play is not looked up. */
const BEFORE = 8;

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
  #choice = new StrongChoice(chosenOfEngine().report, () => this.#chose(), 'report');
  /** What a report says of the moves, by node. @type {ReadonlyMap<number, Mark>} */
  marks = new Map();

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
    this.#engine = new EnginePlace(engineHost(page), EngineSwitch);
    this.#openings = new OpeningsPlace(page);
    byId('report-engine').append(this.#choice.element);
    buttonById('report-make').addEventListener('click', () => void this.report());
    buttonById('to-exercise').addEventListener('click', () => page.tabs.choose('tab-report'));
  }

  /** Somebody chose who makes the report: if there is one, or one is being made, it is made anew. */
  #chose() {
    chooseOfEngine({ report: this.#choice.wanted });
    if (byId('report').matches('[data-made], [data-busy]')) void this.report();
  }

  /** The page shows something, perhaps the same as before, or another tab. */
  render() {
    this.#engine.render(!this.#asks);
    this.#report?.render();
    void this.#openings.render();
  }

  /** Brings the report of what is on the board into sight. @param {Maker} [by] whose it is, as a link says */
  async report(by) {
    if (by) this.#choice.choose(by === 'strong');
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
      byId('engine-silent').hidden = !asks;
      this.#engine.render(!asks);
    };
    const mark = (/** @type {ReadonlyMap<number, Mark>} */ marks) => {
      this.marks = marks;
      this.#page.marked();
    };
    const link = (/** @type {Maker} */ by) => linkToReport(study(), variant, location, by);
    const strong = (/** @type {any} */ rules) => this.#choice.opener(rules, 1);
    const gaveUp = () => this.#choice.gaveUp();
    const tries = { study, ask };
    const host = { variant, ...code.studied(study), go, tries, mark, link, strong, gaveUp };
    return new code.GameReport(host, byId('engine').dataset.worker ?? '');
  }
}

// The analysis board as the engine needs it: what is shown there, arrows, and moves that are made from its lines.

/** @param {Page} page @returns {Host} */
const engineHost = ({ variant, board, study, move }) => ({
  variant,
  shown: () => {
    const { tree, at, chess960 } = study();
    const { fen, steps } = repeatablePath(tree, at);
    return { start: fen, moves: steps, chess960, fen: nodeAt(tree, at).fen, fens: () => fensTo(tree, at) };
  },
  bottom: () => board.bottom,
  mark: marks => board.mark(marks),
  play: async ucis => {
    for (const uci of ucis) {
      const { at } = study();
      await move(uci);
      if (study().at === at) return;
    }
  },
});

// The place of the opening explorer at the analysis board. It is loaded when somebody opens it, and asks only while it is in
// sight.

class OpeningsPlace {
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
      openings.show({ ...recentPath(tree, at, BEFORE), chess960 });
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

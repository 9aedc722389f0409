/**
 * The report of a game that is over, on the game's own page: made when somebody asks for it there, its signs in the list of moves and
 * its graph and numbers above them. Loaded only then. What one learns from the mistakes is at the analysis board.
 *
 * @import { Over } from '../explain/explainer.js'
 * @import { Variant } from '../board/variant.js'
 * @import { Game } from './game_report.js'
 * @import { Mark } from './judgement.js'
 */
import { chosenOfEngine } from '../explain/remembered.js';
import { StrongChoice } from '../explain/strong_choice.js';
import { byId, create } from '../ui/dom.js';
import { t } from '../words.js';
import { GameReport } from './game_report.js';
import { marked } from './sign.js';

export class ReportBeside {
  #report;
  #section;
  /** As at the analysis board, where one chooses. */
  #choice = new StrongChoice(chosenOfEngine().report, () => {}, 'report');

  /** @param {Variant} variant @param {Over} over the game @param {{worker: string, whole: string}} addresses of the engine's worker, of the report at
   *   the analysis board */
  constructor(variant, over, { worker, whole }) {
    const progress = Object.assign(create('progress', ''), { id: 'report-progress', max: 1, value: 0 });
    progress.setAttribute('aria-label', t('game_report.tab'));
    const state = Object.assign(create('p', ''), { id: 'report-state', role: 'status' });
    const body = Object.assign(create('div', ''), { id: 'report-body' });
    this.#section = Object.assign(create('section', 'report brief', progress, state, body), { id: 'report' });
    this.#section.setAttribute('aria-label', t('game_report.tab'));
    byId('move-list').before(this.#section);
    // After the list, which brings the shown move into sight wherever there is too little room for both.
    new ResizeObserver(() => this.#reveal()).observe(this.#section);
    this.#report = new GameReport(
      {
        variant,
        game: () => gameOf(over),
        stands: ({ played }) => played.moves.length === over.state().plies.length,
        at: () => over.shown(),
        go: ply => over.goTo(ply),
        tries: null,
        mark: markMoves,
        link: by => `${whole}${by === 'strong' ? '-strong' : ''}`,
        strong: (/** @type {any} */ rules) => this.#choice.opener(rules, 1),
        gaveUp: () => this.#choice.gaveUp(),
      },
      worker,
    );
    void this.#report.open();
  }

  /** Shows it, or makes room for the moves; the signs stay beside them. @param {boolean} shown */
  show(shown) {
    this.#section.hidden = !shown;
  }

  /** The page shows something, perhaps the same as before. */
  render() {
    this.#report.render();
  }

  #reveal() {
    for (const view of [this.#section.parentElement, byId('moves')]) view?.scrollTo({ top: 0 });
  }
}

/** @param {Over} over @returns {Game} */
function gameOf(over) {
  const { startFen: start, chess960, plies, ended } = over.state();
  const moves = plies.map(({ uci }) => uci);
  return {
    played: { start, chess960, moves, result: ended?.result ?? '*' },
    ids: [0, ...moves.map((_, ply) => ply + 1)],
    sans: plies.map(({ san }) => san),
  };
}

/** @param {ReadonlyMap<number, Mark>} marks by ply */
function markMoves(marks) {
  for (const button of byId('move-list').querySelectorAll('button')) {
    for (const old of button.querySelectorAll('span')) old.remove();
    const mark = marks.get(Number(button.dataset.ply));
    if (mark) button.append(...marked(mark));
  }
}

/**
 * The report of a game: has it made, or takes it from this browser, and shows it; from there one goes on to learn from the
 * mistakes. Loaded only when somebody asks for a report.
 *
 * @import { Study } from '../analysis/study.js'
 * @import { Variant } from '../board/variant.js'
 * @import { Judged, Mistake } from './judgement.js'
 * @import { Played } from './report_maker.js'
 * @typedef {object} Host   the page
 * @property {Variant} variant
 * @property {() => Study} study
 * @property {(id: number) => void} go   shows that node of its tree
 * @property {(asks: boolean) => void} ask   whether a move is looked for, so that nothing may tell of it
 * @property {() => string} link   that opens the report anywhere
 * @typedef {object} Game   as the report knows it
 * @property {Played} played
 * @property {number[]} ids   of the nodes, the root first
 * @property {string[]} sans   of the moves
 */
import { LineWriter } from '../explain/line_writer.js';
import { lineThrough, nodeAt, ROOT } from '../game/tree.js';
import { turnOf } from '../game/model.js';
import { requestJson } from '../net/requests.js';
import { byId, setText } from '../ui/dom.js';
import { t } from '../words.js';
import { mistakesIn } from './judgement.js';
import { Learning } from './learning.js';
import { ReportMaker } from './report_maker.js';
import { ReportView } from './report_view.js';
import { siteStorage } from '../storage.js';

export class GameReport {
  #host;
  #script;
  #place = byId('report-body');
  #state = byId('report-state');
  /** @type {ReportMaker | null} */
  #maker = null;
  /** @type {LineWriter | null} */
  #writer = null;
  /** @type {Game | null} what it is about */
  #game = null;
  /** @type {ReportView | null} */
  #view = null;
  /** @type {Learning | null} */
  #learning = null;

  /** @param {Host} host @param {string} script of the engine's worker */
  constructor(host, script) {
    this.#host = host;
    this.#script = script;
  }

  /** Makes the report of what is on the board. Never rejects. */
  async open() {
    this.close();
    const game = gameOf(this.#host.study());
    if (!game.played.moves.length) return setText(this.#state, t('game_report.no_moves'));
    this.#game = game;
    byId('report').toggleAttribute('data-busy', true);
    try {
      const rules = await requestJson(`/api/variants/${this.#host.variant.id}`);
      this.#writer = new LineWriter(this.#host.variant, rules);
      const maker = new ReportMaker(this.#script, rules);
      this.#maker = maker;
      const positions = keptReport(this.#host.variant.id, game.played) ?? (await this.#make(maker, game));
      if (maker === this.#maker) this.#show(game, positions);
    } catch {
      if (this.#game === game) setText(this.#state, t('game_report.failed'));
    }
    if (this.#game === game) byId('report').toggleAttribute('data-busy', false);
  }

  /** There is none any more. */
  close() {
    this.#learning?.end();
    this.#maker?.end();
    this.#place.replaceChildren();
    this.#game = this.#view = this.#learning = this.#maker = null;
    byId('report').removeAttribute('data-busy');
    byId('report').removeAttribute('data-made');
    setText(this.#state, '');
  }

  /** The page shows something, perhaps the same as before. */
  render() {
    const { tree, at } = this.#host.study();
    const game = this.#game;
    if (!game) return;
    const same = game.ids.every((id, ply) => !ply || tree.nodes.get(id)?.uci === game.played.moves[ply - 1]);
    if (!same || nodeAt(tree, ROOT).fen !== game.played.start) return this.close();
    const ply = game.ids.indexOf(at);
    this.#view?.showPly(ply < 0 ? null : ply);
    this.#learning?.follow();
  }

  /** @param {ReportMaker} maker @param {Game} game */
  async #make(maker, game) {
    const bar = /** @type {HTMLProgressElement} */ (byId('report-progress'));
    const positions = await maker.make(game.played, (done, all) => {
      bar.max = all;
      bar.value = done;
      setText(this.#state, t('game_report.progress', { done, all }));
    });
    keepReport(this.#host.variant.id, game.played, positions);
    return positions;
  }

  /** @param {Game} game @param {Judged[]} positions */
  #show(game, positions) {
    setText(this.#state, '');
    byId('report').toggleAttribute('data-made', true);
    const whiteBegins = turnOf(game.played.start) === 'white';
    const mistakes = mistakesIn(positions, game.played.moves, whiteBegins);
    this.#view = new ReportView(
      { positions, mistakes, moves: game.played.moves, sans: game.sans, whiteBegins, start: game.played.start },
      {
        go: ply => this.#go(ply),
        better: mistake => this.#better(mistake),
        learn: side => this.#learn(game, positions, mistakes, side),
        link: this.#host.link,
      },
    );
    this.#place.replaceChildren(this.#view.element);
    this.render();
  }

  /** @param {number} ply half-moves made */
  #go(ply) {
    const id = this.#game?.ids[Math.max(0, Math.min(ply, this.#game.ids.length - 1))];
    if (id !== undefined) this.#host.go(id);
  }

  /** What would have been better, as people write it. @param {Mistake} mistake */
  #better({ ply, line }) {
    const fen = nodeAt(this.#host.study().tree, this.#game?.ids[ply - 1] ?? ROOT).fen;
    return this.#writer?.write(fen, this.#game?.played.chess960 ?? false, line.slice(0, 5)) ?? [];
  }

  /** @param {Game} game @param {Judged[]} positions @param {Mistake[]} mistakes @param {'white' | 'black'} side */
  #learn(game, positions, mistakes, side) {
    const { maker, view } = { maker: this.#maker, view: this.#view };
    if (!maker || !view) return;
    this.#learning = new Learning({
      host: this.#host,
      game,
      positions,
      mistakes,
      side,
      judge: moves => maker.judge(game.played, moves),
      better: mistake => this.#better(mistake),
      done: () => {
        this.#learning = null;
        this.#place.replaceChildren(view.element);
        view.focus();
      },
    });
    this.#place.replaceChildren(this.#learning.element);
    this.#learning.begin();
  }
}

/** @param {Study} study @returns {Game} its main line */
function gameOf({ tree, chess960, info }) {
  const line = lineThrough(tree, ROOT);
  const moves = line.map(({ uci }) => uci);
  return {
    played: { start: nodeAt(tree, ROOT).fen, chess960, moves, result: resultOf(line.at(-1)?.san ?? '', info?.result) },
    ids: [ROOT, ...line.map(({ id }) => id)],
    sans: line.map(({ san }) => san),
  };

  /** A mate says more than what somebody wrote. @param {string} last @param {string} [said] */
  function resultOf(last, said = '*') {
    if (!last.endsWith('#')) return said;
    return turnOf(line.at(-1)?.fen ?? '') === 'white' ? '0-1' : '1-0';
  }
}

// The latest reports, kept in this browser, so that a game is looked through once. What was made by an older engine is made
// anew.

const KEY = 'reports';
/** To be raised when the engine judges differently. */
const ENGINE = 1;
const MOST = 12;

/** @param {string} variant id @param {Played} game */
const nameOf = (variant, { start, chess960, moves, result }) =>
  [ENGINE, variant, chess960 ? 960 : '', start, moves.join(' '), result].join('|');

/** @returns {{name: string, positions: Judged[]}[]} */
function all() {
  const kept = siteStorage.json(KEY);
  return Array.isArray(kept) ? kept.filter(one => typeof one?.name === 'string' && Array.isArray(one.positions)) : [];
}

/** @param {string} variant id @param {Played} game @returns {Judged[] | null} null: there is none */
export function keptReport(variant, game) {
  const found = all().find(({ name }) => name === nameOf(variant, game))?.positions;
  return found?.length === game.moves.length + 1 ? found : null;
}

/** @param {string} variant id @param {Played} game @param {Judged[]} positions */
export function keepReport(variant, game, positions) {
  const name = nameOf(variant, game);
  const shortened = positions.map(({ score, line }) => ({ score, line: line.slice(0, 6) }));
  const others = all().filter(one => one.name !== name);
  siteStorage.set(KEY, JSON.stringify([{ name, positions: shortened }, ...others].slice(0, MOST)));
}

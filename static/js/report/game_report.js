/**
 * The report of a game: has it made, or takes it from this browser, and shows it; where moves can be tried, one goes on from
 * there to learn from the mistakes. Loaded only when somebody asks for a report.
 *
 * @import { Study } from '../analysis/study.js'
 * @import { Variant } from '../board/variant.js'
 * @import { Heard } from '../explain/engine_worker.js'
 * @import { Judged, Mark, Mistake } from './judgement.js'
 * @import { Engine, Played } from './report_maker.js'
 * @import { Maker } from '../analysis/report_link.js'
 * @typedef {object} Host   the page
 * @property {Variant} variant
 * @property {() => Game} game   what is on the board
 * @property {(game: Game) => boolean} stands   whether that is still on the board
 * @property {() => number} at   the node that is shown
 * @property {(id: number) => void} go   shows that node
 * @property {Tries | null} tries   null: the board is for looking back only
 * @property {(marks: Map<number, Mark>) => void} mark   writes those beside the moves, by node; none takes them away
 * @property {(by: Maker) => string} link   that opens the report of that engine anywhere
 * @property {(rules: any) => Promise<((heard: Heard) => Engine) | null>} strong   begins the strong engine; null: the site's own is to look
 * @property {() => boolean} gaveUp   an engine has failed: whether the other one is to go on
 * @typedef {object} Tries   how moves are tried on the board
 * @property {() => Study} study
 * @property {(asks: boolean) => void} ask   whether a move is looked for, so that nothing may tell of it
 * @typedef {object} Game   as the report knows it
 * @property {Played} played
 * @property {number[]} ids   of the nodes, the root first; where the game is no tree, how many half-moves were made
 * @property {string[]} sans   of the moves
 * @property {string[]} [fens]   of all positions, if the page knows them
 * @typedef {Game & {fens: string[]}} KnownGame
 */
import { EngineWorker } from '../explain/engine_worker.js';
import { FairPlay } from '../explain/fair_play.js';
import { LineWriter } from '../explain/line_writer.js';
import { lineThrough, nodeAt, ROOT } from '../game/tree.js';
import { turnOf } from '../game/model.js';
import { RequestFailed, requestJson } from '../net/requests.js';
import { byId, setText } from '../ui/dom.js';
import { t } from '../words.js';
import { phasesOf } from './accuracy.js';
import { marksOf, mistakesIn } from './judgement.js';
import { Learning } from './learning.js';
import { ReportMaker } from './report_maker.js';
import { BriefView, ReportView } from './report_view.js';
import { siteStorage } from '../storage.js';

/** A third of a second on a usual machine, for each engine. */
const NODES = { own: 40_000, strong: 100_000 };

export class GameReport {
  #host;
  #script;
  #place = byId('report-body');
  #state = byId('report-state');
  /** @type {ReportMaker | null} */
  #maker = null;
  /** @type {LineWriter | null} */
  #writer = null;
  /** @type {KnownGame | null} what it is about */
  #game = null;
  /** @type {ReportView | BriefView | null} */
  #view = null;
  /** @type {Learning | null} */
  #learning = null;
  #fairPlay = new FairPlay(() => this.#forbidden());

  /** @param {Host} host @param {string} script of the engine's worker */
  constructor(host, script) {
    this.#host = host;
    this.#script = script;
  }

  /** Makes the report of what is on the board. Never rejects. @returns {Promise<void>} */
  async open() {
    this.close();
    const found = this.#host.game();
    if (!found.played.moves.length) return setText(this.#state, t('game_report.no_moves'));
    const game = { ...found, fens: found.fens ?? [] };
    this.#game = game;
    byId('report').toggleAttribute('data-busy', true);
    try {
      const [rules] = await Promise.all([requestJson(`/api/variants/${this.#host.variant.id}`), this.#fairPlay.ask()]);
      const writer = new LineWriter(this.#host.variant, rules);
      this.#writer = writer;
      if (!found.fens) game.fens = fensOf(writer, game.played);
      if (this.#game !== game || this.#forbidden()) return;
      const strong = await this.#host.strong(rules);
      if (this.#game !== game) return;
      /** @type {Maker} */
      const by = strong ? 'strong' : 'own';
      const name = nameOf(by, this.#host.variant.id, game.played);
      const own = (/** @type {Heard} */ heard) => new EngineWorker(this.#script, rules, heard);
      const maker = new ReportMaker(strong ?? own, NODES[by]);
      this.#maker = maker;
      const positions = keptReport(name, game.played) ?? (await this.#make(maker, game, name));
      if (maker === this.#maker) this.#show(game, positions, by);
    } catch (error) {
      if (this.#game !== game) return;
      // A line that is lost says nothing of the engine.
      if (!(error instanceof RequestFailed) && this.#host.gaveUp()) return this.open();
      setText(this.#state, t('game_report.failed'));
    }
    if (this.#game === game) byId('report').toggleAttribute('data-busy', false);
  }

  /** Closes it if the reader plays a game that it would tell of. @returns {boolean} whether it did */
  #forbidden() {
    if (!this.#game) return false;
    const { fens, played } = this.#game;
    const { id, startFen } = this.#host.variant;
    const reason = this.#fairPlay.reason({ variant: id, startFen, chess960: played.chess960, fens });
    if (!reason) return false;
    this.close();
    setText(this.#state, t(reason));
    return true;
  }

  /** There is none any more. */
  close() {
    this.#learning?.end();
    this.#maker?.end();
    this.#place.replaceChildren();
    this.#game = this.#view = this.#learning = this.#maker = null;
    this.#host.mark(new Map());
    byId('report').removeAttribute('data-busy');
    byId('report').removeAttribute('data-made');
    setText(this.#state, '');
  }

  /** The page shows something, perhaps the same as before. */
  render() {
    const game = this.#game;
    if (!game) return;
    if (!this.#host.stands(game)) return this.close();
    const ply = game.ids.indexOf(this.#host.at());
    this.#view?.showPly(ply < 0 ? null : ply);
    this.#learning?.follow();
  }

  /** @param {ReportMaker} maker @param {Game} game @param {string} name as it is kept */
  async #make(maker, game, name) {
    const bar = /** @type {HTMLProgressElement} */ (byId('report-progress'));
    const positions = await maker.make(game.played, (done, all) => {
      bar.max = all;
      bar.value = done;
      setText(this.#state, t('game_report.progress', { done, all }));
    });
    keepReport(name, positions);
    return positions;
  }

  /** @param {KnownGame} game @param {Judged[]} positions @param {Maker} by */
  #show(game, positions, by) {
    setText(this.#state, '');
    byId('report').toggleAttribute('data-made', true);
    const { moves, start } = game.played;
    const whiteBegins = turnOf(start) === 'white';
    const mistakes = mistakesIn(positions, moves, whiteBegins);
    const phases = phasesOf(this.#host.variant, game.fens.slice(0, -1));
    const marks = marksOf(positions, moves, whiteBegins);
    this.#host.mark(new Map([...marks].map(([ply, mark]) => [game.ids[ply], mark])));
    const report = { positions, mistakes, phases, moves, sans: game.sans, whiteBegins, start };
    const ways = { go: (/** @type {number} */ ply) => this.#go(ply), link: () => this.#host.link(by) };
    const { tries } = this.#host;
    this.#view = tries
      ? new ReportView(report, {
          ...ways,
          better: mistake => this.#better(mistake),
          learn: side => this.#learn(tries, game, report, side),
        })
      : new BriefView(report, ways);
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
    const { fens, played } = this.#game ?? {};
    return (fens && played && this.#writer?.write(fens[ply - 1], played.chess960, line.slice(0, 5))) ?? [];
  }

  /** @param {Tries} tries @param {Game} game @param {{positions: Judged[], mistakes: Mistake[]}} report @param {'white' | 'black'} side */
  #learn(tries, game, { positions, mistakes }, side) {
    const { maker, view } = { maker: this.#maker, view: this.#view };
    if (!maker || !view) return;
    this.#learning = new Learning({
      host: { ...tries, go: id => this.#host.go(id) },
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

/** @param {LineWriter} writer @param {Played} game @returns {string[]} of all its positions @throws {Error} if a move is not legal */
function fensOf(writer, { start, chess960, moves }) {
  const written = writer.write(start, chess960, moves);
  if (written.length < moves.length) throw new Error('a move of the game is not legal');
  return [start, ...written.map(({ fen }) => fen)];
}

/** @param {() => Study} study of the analysis board @returns {Pick<Host, 'game' | 'stands' | 'at'>} */
export const studied = study => ({
  game: () => gameOf(study()),
  stands: ({ ids, played }) => {
    const { tree } = study();
    const same = ids.every((id, ply) => !ply || tree.nodes.get(id)?.uci === played.moves[ply - 1]);
    return same && nodeAt(tree, ROOT).fen === played.start;
  },
  at: () => study().at,
});

/** @param {Study} study @returns {Game} its main line */
function gameOf({ tree, chess960, info }) {
  const line = lineThrough(tree, ROOT);
  const moves = line.map(({ uci }) => uci);
  const start = nodeAt(tree, ROOT).fen;
  return {
    played: { start, chess960, moves, result: resultOf(line.at(-1)?.san ?? '', info?.result) },
    ids: [ROOT, ...line.map(({ id }) => id)],
    sans: line.map(({ san }) => san),
    fens: [start, ...line.map(({ fen }) => fen)],
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
const ENGINE = 2;
const MOST = 12;

/** @param {Maker} engine @param {string} variant id @param {Played} game */
export const nameOf = (engine, variant, { start, chess960, moves, result }) =>
  [ENGINE, engine, variant, chess960 ? 960 : '', start, moves.join(' '), result].join('|');

/** @returns {{name: string, positions: Judged[]}[]} */
function all() {
  const kept = siteStorage.json(KEY);
  return Array.isArray(kept) ? kept.filter(one => typeof one?.name === 'string' && Array.isArray(one.positions)) : [];
}

/** @param {string} called as `nameOf` @param {Played} game @returns {Judged[] | null} null: there is none */
export function keptReport(called, game) {
  const found = all().find(({ name }) => name === called)?.positions;
  return found?.length === game.moves.length + 1 ? found : null;
}

/** @param {string} name as `nameOf` @param {Judged[]} positions */
export function keepReport(name, positions) {
  const shortened = positions.map(({ line, ...rest }) => ({ ...rest, line: line.slice(0, 6) }));
  const others = all().filter(one => one.name !== name);
  siteStorage.set(KEY, JSON.stringify([{ name, positions: shortened }, ...others].slice(0, MOST)));
}

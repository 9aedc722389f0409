/**
 * The engine at a board: thinks about whatever position is shown there, and shows what it finds as a bar, lines and arrows.
 * Loaded only when somebody switches it on. Decides nothing about the game.
 *
 * @import { Mark } from '../board/library.js'
 * @import { Color, Variant } from '../board/variant.js'
 * @import { Answer, Proved, Task } from '../engine/session.js'
 * @import { Thought } from '../engine/thinking.js'
 * @import { GameState } from '../game/model.js'
 * @import { VariantRules } from '../engine/rules/variant_rules.js'
 * @typedef {object} Shown   what the board shows
 * @property {string} start   FEN where its moves begin
 * @property {string[]} moves   UCI, from there to what is shown
 * @property {boolean} chess960
 * @property {string} fen   of what is shown
 * @property {() => string[]} fens   of all that leads to it, and its own; the first is where the board's line begins
 * @typedef {object} Host   the page
 * @property {Variant} variant
 * @property {() => Shown} shown
 * @property {() => Color} bottom   the side at the bottom of the board
 * @property {(marks: Mark[]) => void} mark   draws arrows in place of those before
 * @property {((ucis: string[]) => unknown) | null} play   makes moves on the board; null: it is for looking back only
 * @property {Over} [over]   a game that is played no more, where its report can be made
 * @typedef {object} Over
 * @property {() => GameState} state
 * @property {() => number} shown   half-moves made in what is shown
 * @property {(ply: number) => void} goTo
 * @typedef {Pick<import('./engine_worker.js').EngineWorker, 'think' | 'stop' | 'end'>} Engine
 * @typedef {{lines: number, threat: boolean, deeper: boolean}} Wish   lines: 1 to 5; deeper: for as long as it takes
 */
import { MOST_STEPS, writeFragment } from '../game/fragment.js';
import { opposite } from '../board/variant.js';
import { turnOf } from '../game/model.js';
import { byId, create, setText } from '../ui/dom.js';
import { t } from '../words.js';
import { LineWriter } from './line_writer.js';
import { LinesView } from './lines_view.js';
import { chancesOf, scoreOf, speakScore, writeScore } from './scores.js';
import { trusted } from './engine_worker.js';

// Who loads this makes the engine that it asks, too.
export { EngineWorker } from './engine_worker.js';

/** ms for one position, unless it is to look deeper: a phone's battery is not ours. */
const ENOUGH = 10_000;
/** Points of a win that is proved. */
const PROVED = 100_000;
/** Arrows that one can tell apart. */
const ARROWS = 8;
/** Half-moves of a line that are shown. */
const PLIES = 10;

export class Explainer {
  #host;
  #engine;
  #writer;
  #onlyMateWins;
  #view;
  #bar = new EvaluationBar(byId('board').parentElement ?? byId('board'));
  /** @type {Wish} */
  #wish;
  #prover;
  /** @type {Thought[]} by rank, from 0 */
  #thoughts = [];
  /** Is it proved how the position ends, so that what is thought of it does not matter? */
  #isProved = false;
  /** Tells it to those who hear the page. */
  #says = create('p', 'visually-hidden');
  /** The position that is thought about, and with which wish. */
  #about = '';
  #score = byId('engine-score');
  #state = byId('engine-state');

  /**
   * @param {Host} host @param {any} rules of the variant @param {(heard: import('./engine_worker.js').Heard) => Engine} open begins an engine
   * @param {Wish} wish @param {() => void} failed it cannot go on @param {string} worker address of the script of the site's own engine
   */
  constructor(host, rules, open, wish, failed, worker) {
    this.#host = host;
    this.#wish = wish;
    this.#writer = new LineWriter(host.variant, rules);
    this.#onlyMateWins = onlyMateWins(rules);
    this.#view = new LinesView(ucis => this.#play(ucis));
    this.#engine = open({
      thought: thought => this.#hear(thought),
      done: best => this.#done(best),
      refused: () => setText(this.#state, t(this.#wish.threat ? 'engine.in_check' : 'engine.refused')),
      failed,
    });
    this.#prover = new Prover(worker, rules, (fen, proof) => this.#prove(fen, proof));
    this.#says.role = 'status';
    byId('engine-body').append(this.#view.element, this.#says);
    document.addEventListener('visibilitychange', this.#followSight);
    this.render();
  }

  /** @param {Wish} wish */
  follow(wish) {
    this.#wish = wish;
    this.render();
  }

  /** The page shows something, perhaps the same as before. */
  render() {
    this.#bar.turn(this.#host.bottom());
    const { start, moves, chess960, fen } = this.#host.shown();
    const { lines, threat, deeper } = this.#wish;
    const about = [fen, moves.length, chess960, lines, threat, deeper].join();
    if (about === this.#about || document.hidden) return;
    this.#about = about;
    this.#thoughts = [];
    this.#isProved = false;
    this.#host.mark([]);
    this.#view.clear();
    setText(this.#state, t('engine.thinks'));
    setText(this.#says, '');
    const time = deeper ? undefined : ENOUGH;
    const passed = threat ? this.#writer.passed(fen, chess960) : null;
    this.#engine.think({ fen: start, moves, chess960, passed, limits: { time, lines: threat ? 1 : lines, threat } });
    if (!threat) this.#prover.prove(fen, chess960);
  }

  /** Ends the worker, and leaves the page as if there had been none. */
  end() {
    this.#engine.end();
    this.#prover.end();
    this.#bar.remove();
    this.#host.mark([]);
    this.#view.element.remove();
    this.#says.remove();
    document.removeEventListener('visibilitychange', this.#followSight);
    for (const place of [this.#score, this.#state]) setText(place, '');
  }

  /** Nobody looks: it stops, and begins again when somebody does. */
  #followSight = () => {
    if (document.hidden) {
      this.#about = '';
      this.#engine.stop();
    } else this.render();
  };

  /** Who moves in what it thinks about. @returns {Color} */
  get #mover() {
    const turn = turnOf(this.#host.shown().fen);
    return this.#wish.threat ? opposite(turn) : turn;
  }

  /** @param {Thought} thought */
  #hear(thought) {
    if (document.hidden || this.#isProved) return;
    const { rank, depth, nodes, time } = thought;
    // The lines of a depth come together, the best first.
    if (rank === 1) this.#thoughts = this.#thoughts.slice(0, this.#wish.lines);
    this.#thoughts[rank - 1] = thought;
    const awaited = this.#thoughts.some(other => other.depth < depth);
    if (rank === 1) this.#judge(thought);
    if (awaited) return;
    const speed = Math.round(nodes / Math.max(time, 1));
    setText(this.#state, t(time > 50 ? 'engine.depth_and_speed' : 'engine.depth', { depth, speed }));
    this.#draw();
  }

  /** The site's own engine knows how it ends: whoever thinks about it stops. @param {string} fen @param {Proved} proof */
  #prove(fen, { winner, plies, moves }) {
    if (fen !== this.#host.shown().fen || this.#wish.threat || document.hidden) return;
    this.#isProved = true;
    this.#engine.stop();
    const n = Math.ceil(plies / 2);
    this.#thoughts = moves.map((move, nth) => ({ ...this.#thoughtOf(move), rank: nth + 1 }));
    this.#judge(this.#thoughts[0]);
    this.#draw();
    const words =
      winner === null
        ? t('engine.proved_draw')
        : winner === 'white'
          ? t(this.#onlyMateWins ? 'engine.proved_white_mates' : 'engine.proved_white_wins', { n })
          : t(this.#onlyMateWins ? 'engine.proved_black_mates' : 'engine.proved_black_wins', { n });
    setText(this.#state, words);
    setText(this.#says, words);
  }

  /** How many moves are marked as the best: one, unless it is proved that others are as good. */
  get #equals() {
    const [best] = this.#thoughts;
    return this.#isProved ? Math.min(ARROWS, this.#thoughts.filter(({ score }) => score === best.score).length) : 1;
  }

  /** What is proved of a move, as if it were thought. @param {Proved['moves'][number]} move @returns {Omit<Thought, 'rank'>} */
  #thoughtOf({ winner, plies, line }) {
    const sign = winner === null ? 0 : winner === this.#mover ? 1 : -1;
    const mate = sign ? sign * Math.ceil(plies / 2) : null;
    return { score: sign * (PROVED - plies), mate, line, depth: plies, deepest: plies, nodes: 0, time: 0 };
  }

  /** @param {Thought} thought the best one */
  #judge(thought) {
    const score = scoreOf(thought, this.#mover);
    setText(this.#score, writeScore(score));
    if (!this.#wish.threat) this.#bar.show(score);
  }

  #draw() {
    const { fen, chess960 } = this.#host.shown();
    const begin = this.#wish.threat ? (this.#writer.passed(fen, chess960) ?? fen) : fen;
    this.#view.show(
      this.#thoughts.slice(0, this.#wish.lines).map(thought => ({
        score: scoreOf(thought, this.#mover),
        moves: this.#writer.write(begin, chess960, thought.line.slice(0, PLIES)),
      })),
    );
    const [best] = this.#thoughts;
    this.#host.mark(
      this.#thoughts.slice(0, Math.max(this.#wish.lines, this.#equals)).map(({ line, score }, nth) => ({
        uci: line[0],
        color: this.#mover,
        kind: this.#wish.threat ? 'threat' : nth < this.#equals ? 'best' : 'other',
        // The less a move falls behind the best one, the broader its arrow.
        width: nth ? Math.max(4, 11 - Math.round((best.score - score) / 20)) : 13,
      })),
    );
  }

  /** @param {string | null} best */
  #done(best) {
    if (best !== null) return;
    const { fen, chess960 } = this.#host.shown();
    const ended = this.#writer.ended(fen, chess960);
    setText(this.#score, ended?.result ?? '');
    setText(this.#state, t('engine.over'));
    this.#bar.settle(ended?.winner);
  }

  /** @param {string[]} ucis from the shown position on */
  #play(ucis) {
    if (this.#wish.threat) return;
    if (this.#host.play) this.#host.play(ucis);
    else this.#openAnalysis(ucis);
  }

  /** A game that was played does not change: its analysis begins on the board for that. @param {string[]} ucis */
  #openAnalysis(ucis) {
    const { start, moves, chess960 } = this.#host.shown();
    const { id, startFen } = this.#host.variant;
    const fen = start === startFen ? null : start;
    const steps = [...moves, ...ucis].slice(0, MOST_STEPS);
    location.assign(`/analysis/${id}#${writeFragment({ fen, chess960, steps, shown: null })}`);
  }
}

/** @param {any} rules of the variant */
const onlyMateWins = ({ rules: { endings } }) =>
  !(endings.goal || endings.extinction || endings.bareKingLoses || endings.stalemateLoses || endings.stalemateWins);

// The bar beside the board that shows how the chances stand: White's part is light, and at the side where White is.

class EvaluationBar {
  #bar = create('div', 'eval-bar', create('i', ''));

  /** @param {HTMLElement} board the box around it */
  constructor(board) {
    this.#bar.setAttribute('role', 'meter');
    this.#bar.setAttribute('aria-label', t('engine.bar'));
    this.#bar.ariaValueMin = '0';
    this.#bar.ariaValueMax = '100';
    this.#set(50, t('engine.even'));
    board.append(this.#bar);
  }

  /** @param {import('./scores.js').Score} score */
  show(score) {
    this.#set(Math.round(100 * chancesOf(score)), speakScore(score));
  }

  /** The game is over. @param {'white' | 'black' | undefined} winner */
  settle(winner) {
    this.#set(winner ? (winner === 'white' ? 100 : 0) : 50, t('engine.over'));
  }

  /** @param {'white' | 'black'} bottom */
  turn(bottom) {
    this.#bar.classList.toggle('from-black', bottom === 'black');
  }

  remove() {
    this.#bar.remove();
  }

  /** @param {number} share of White @param {string} words */
  #set(share, words) {
    this.#bar.ariaValueNow = String(share);
    this.#bar.ariaValueText = words;
    this.#bar.style.setProperty('--share', String(share / 100));
  }
}

// Asks the site's own engine how an ending is proved to end, in a worker of its own, whoever thinks about the position besides.
// The worker begins with the first position that has so few pieces. Knows no element.

/** Pieces on the board with which the engine may prove anything. */
const MEN = 3;

class Prover {
  #address;
  #rules;
  #heard;
  /** @type {Worker | null} */
  #worker = null;

  /** @param {string} address of the worker's script @param {VariantRules} rules @param {(fen: string, proof: Proved) => void} heard */
  constructor(address, rules, heard) {
    this.#address = address;
    this.#rules = rules;
    this.#heard = heard;
  }

  /** Nothing is heard of it if it cannot be proved. @param {string} fen @param {boolean} chess960 */
  prove(fen, chess960) {
    const pieces = fen.split(/[[ ]/, 1)[0].match(/[a-z]/gi) ?? [];
    if (pieces.length > MEN) return;
    this.#worker ??= this.#begin();
    this.#tell({ do: 'prove', fen, chess960 });
  }

  /** For good. */
  end() {
    this.#worker?.terminate();
  }

  #begin() {
    this.#worker = new Worker(trusted(this.#address), { type: 'module' });
    this.#worker.addEventListener('message', ({ data }) => {
      const answer = /** @type {Answer} */ (data);
      if (answer.said === 'proof' && answer.proof) this.#heard(answer.fen, answer.proof);
    });
    this.#tell({ do: 'variant', variant: this.#rules });
    return this.#worker;
  }

  /** @param {Task} task */
  #tell(task) {
    this.#worker?.postMessage(task);
  }
}

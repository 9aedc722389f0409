/**
 * Learning from the mistakes of one side: shows the position before each, waits for a better move on the board, has it judged
 * by the engine, and says what came of it.
 *
 * @import { WrittenMove } from '../explain/line_writer.js'
 * @import { Exercises } from './exercises.js'
 * @import { Game, Host } from './game_report.js'
 * @import { Judged, Mistake } from './judgement.js'
 *
 * @typedef {object} Lesson
 * @property {Host} host
 * @property {Game} game
 * @property {Judged[]} positions
 * @property {Mistake[]} mistakes
 * @property {'white' | 'black'} side
 * @property {(moves: string[]) => Promise<Judged>} judge   the position after these moves of the game's start
 * @property {(mistake: Mistake) => WrittenMove[]} better
 * @property {() => void} done
 */
import { ROOT, nodeAt } from '../game/tree.js';
import { turnOf } from '../game/model.js';
import { create, createButton, setText } from '../ui/dom.js';
import { t } from '../words.js';
import { beginWith, current, givenUp, isOpen, judged, next, tried } from './exercises.js';
import { lossOf, moverOf } from './judgement.js';

export class Learning {
  #lesson;
  /** @type {Exercises} */
  #exercises;
  #title = create('h2', '');
  #words = create('p', 'learning-words');
  #ways = create('div', 'learning-ways');
  #element = create('div', 'learning', this.#title, this.#words, this.#ways);
  #ended = false;

  /** @param {Lesson} lesson */
  constructor(lesson) {
    this.#lesson = lesson;
    const whiteBegins = turnOf(lesson.game.played.start) === 'white';
    this.#exercises = beginWith(lesson.mistakes.filter(({ ply }) => moverOf(ply, whiteBegins) === lesson.side));
    this.#words.setAttribute('role', 'status');
    this.#title.tabIndex = -1;
  }

  get element() {
    return this.#element;
  }

  begin() {
    this.#draw();
    this.#goBack();
    this.#title.focus();
  }

  end() {
    if (this.#ended) return;
    this.#ended = true;
    this.#lesson.host.ask(false);
    this.#lesson.done();
  }

  /** The board shows something else: perhaps a move was tried. */
  follow() {
    const { tree, at } = this.#lesson.host.study();
    const node = nodeAt(tree, at);
    if (!this.#before || at === ROOT || node.parent !== this.#before.id || this.#ended) return;
    const before = this.#exercises;
    this.#exercises = tried(before, node.uci);
    if (this.#exercises === before) return;
    this.#draw();
    if (this.#exercises.stage === 'judging') void this.#judge(node.uci);
    else if (this.#exercises.stage === 'played') queueMicrotask(() => this.#goBack());
  }

  /** The node from which a move is looked for, and how many half-moves led there. */
  get #before() {
    const mistake = current(this.#exercises);
    const ply = mistake ? mistake.ply - 1 : 0;
    return mistake ? { ply, id: this.#lesson.game.ids[ply] } : null;
  }

  /** @param {string} uci */
  async #judge(uci) {
    const asked = this.#exercises;
    const { game, positions, side, judge } = this.#lesson;
    const ply = this.#before?.ply ?? 0;
    const after = await judge([...game.played.moves.slice(0, ply), uci]).catch(() => null);
    if (this.#exercises !== asked || this.#ended) return;
    const loss = after ? lossOf(positions[ply].score, after.score, side) : 1;
    this.#exercises = judged(asked, loss);
    this.#draw();
    if (this.#exercises.stage === 'wrong') this.#goBack();
  }

  #goBack() {
    const before = this.#before;
    if (before && this.#lesson.host.study().tree.nodes.has(before.id)) this.#lesson.host.go(before.id);
  }

  #next() {
    this.#exercises = next(this.#exercises);
    this.#draw();
    this.#goBack();
  }

  #draw() {
    const { mistakes, nth, stage, solved } = this.#exercises;
    const mistake = current(this.#exercises);
    const all = mistakes.length;
    this.#lesson.host.ask(!!mistake && (isOpen(this.#exercises) || stage === 'judging'));
    setText(this.#title, mistake ? t('game_report.exercise', { n: nth + 1, all }) : t('game_report.learnt'));
    const words = mistake ? this.#say(mistake) : t('game_report.solved', { n: solved, all });
    setText(this.#words, words);
    this.#element.dataset.stage = mistake ? stage : 'done';
    const open = mistake && isOpen(this.#exercises);
    const buttons = [
      open ? createButton('button', () => this.#giveUp(), t('game_report.solution')) : null,
      open ? createButton('button', () => this.#goBack(), t('game_report.position')) : null,
      mistake && !open && stage !== 'judging'
        ? createButton('button primary', () => this.#next(), t('game_report.next'))
        : null,
      createButton('button', () => this.end(), t('game_report.stop')),
    ];
    const focused = this.#ways.contains(document.activeElement);
    this.#ways.replaceChildren(...buttons.filter(button => button !== null));
    if (focused) this.#ways.querySelector('button')?.focus();
  }

  #giveUp() {
    this.#exercises = givenUp(this.#exercises);
    this.#goBack();
    this.#draw();
  }

  /** @param {Mistake} mistake @returns {string} */
  #say(mistake) {
    const { stage } = this.#exercises;
    const played = this.#lesson.game.sans[mistake.ply - 1];
    const moves = this.#lesson
      .better(mistake)
      .map(({ san }) => san)
      .join(' ');
    return t(`game_report.stage_${stage}`, { played, moves });
  }
}

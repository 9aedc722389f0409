/**
 * Learning from the mistakes of one side: shows the position before each, waits for a better move on the board, has it judged
 * by the engine, and says what came of it.
 *
 * @import { WrittenMove } from '../explain/line_writer.js'
 * @import { Game, Host, Tries } from './game_report.js'
 * @import { Judged, Mistake } from './judgement.js'
 * @typedef {object} Lesson
 * @property {Tries & Pick<Host, 'go'>} host
 * @property {Game} game
 * @property {Judged[]} positions
 * @property {Mistake[]} mistakes
 * @property {'white' | 'black'} side
 * @property {(moves: string[]) => Promise<Judged>} judge   the position after these moves of the game's start
 * @property {(mistake: Mistake) => WrittenMove[]} better
 * @property {() => void} done
 * @typedef {'asked' | 'judging' | 'wrong' | 'played' | 'right' | 'best' | 'shown'} Stage   wrong: try again; played: that was the mistake itself;
 *   right: as good as the best; shown: the solution was asked for
 * @typedef {{mistakes: Mistake[], nth: number, stage: Stage, tried: string, solved: number}} Exercises   nth: from 0; past the last one they
 *   are done; tried: UCI
 */
import { nodeAt, ROOT } from '../game/tree.js';
import { turnOf } from '../game/model.js';
import { create, createButton, setText } from '../ui/dom.js';
import { t } from '../words.js';
import { AS_GOOD, lossOf, moverOf } from './judgement.js';

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

// Learning from one's mistakes, as a value: which of them is asked about, and what has come of it. Judges by numbers that
// others bring, and shows nothing.

/** @param {Mistake[]} mistakes of one side @returns {Exercises} */
export const beginWith = mistakes => ({ mistakes, nth: 0, stage: 'asked', tried: '', solved: 0 });

/** @param {Exercises} exercises @returns {Mistake | null} null: all are done */
export const current = ({ mistakes, nth }) => mistakes[nth] ?? null;

/** Whether a move is looked for now. @param {Exercises} exercises */
export const isOpen = ({ stage }) => stage === 'asked' || stage === 'wrong' || stage === 'played';

/** Somebody has tried a move. @param {Exercises} exercises @param {string} uci @returns {Exercises} `judging`: it has to be looked at first */
export function tried(exercises, uci) {
  const mistake = current(exercises);
  if (!mistake || !isOpen(exercises)) return exercises;
  if (uci === mistake.line[0]) return { ...exercises, stage: 'best', tried: uci, solved: exercises.solved + 1 };
  return { ...exercises, stage: uci === mistake.played ? 'played' : 'judging', tried: uci };
}

/** It has been looked at. @param {Exercises} exercises @param {number} loss of the chances, against the best move @returns {Exercises} */
export function judged(exercises, loss) {
  if (exercises.stage !== 'judging') return exercises;
  const right = loss < AS_GOOD;
  return { ...exercises, stage: right ? 'right' : 'wrong', solved: exercises.solved + (right ? 1 : 0) };
}

/** @param {Exercises} exercises @returns {Exercises} */
export const givenUp = exercises => (isOpen(exercises) ? { ...exercises, stage: 'shown' } : exercises);

/** @param {Exercises} exercises @returns {Exercises} */
export const next = exercises => ({ ...exercises, nth: exercises.nth + 1, stage: 'asked', tried: '' });

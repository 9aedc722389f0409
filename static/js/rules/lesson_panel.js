/**
 * What stands beside the board of a lesson: the steps of the introduction, the task that is open, what was said to the last
 * move, and the buttons. Knows no move.
 *
 * @import { LiveBoard } from './live_board.js'
 * @import { TaskVerdict } from './progress.js'
 * @typedef {{id: string, intro: Step[], tasks: Step[]}} LessonFacts
 * @typedef {Record<'lessonFailed' | 'right' | 'next' | 'toTasks' | 'allDone' | 'step' | 'of' | 'done', string>} LessonWords
 * @typedef {'intro' | 'tasks' | 'free'} Mode
 * @typedef {{id: string, name: string, say: string, well: string, fen: string, check: boolean, last: string, legal: string[], show: string}} Step
 *   show: a move that does it, UCI; '' if there is nothing to do but look
 */
import { buttonById, byId, create } from '../ui/dom.js';
import { judge, Progress } from './progress.js';

const TASK = '#task-';

export class LessonPanel {
  #facts;
  #words;
  #say;
  #playFreely;
  #board;
  #lesson;
  #progress = new Progress();
  #at = { intro: 0, tasks: 0 };
  /** @type {Mode} */
  #mode = 'intro';
  #wrong = false;
  /** The last move was the solution, which the reader asked to see. */
  #shown = false;
  /** Steps with nothing to do but look that have been passed. @type {Set<string>} */
  #looked = new Set();

  /** @param {{board: LiveBoard, lesson: LessonFacts, words: LessonWords, say: (text: string) => void, playFreely: () => void}} options */
  constructor({ board, lesson, words, say, playFreely }) {
    this.#facts = lesson;
    this.#words = words;
    this.#say = say;
    this.#playFreely = playFreely;
    this.#board = board;
    this.#lesson = new Lesson(board, lesson.id, this.#progress, verdict => this.#answered(verdict));
    for (const button of this.#tabs())
      button.addEventListener('click', () => this.#enter(/** @type {Mode} */ (button.dataset.mode)));
    buttonById('lesson-back').addEventListener('click', () => this.#move(-1));
    buttonById('lesson-next').addEventListener('click', () => this.#forward());
    buttonById('lesson-show').addEventListener('click', () => {
      this.#shown = true;
      this.#lesson.showSolution();
    });
    buttonById('lesson-again').addEventListener('click', () => this.#again());
    board.element.addEventListener('pointerdown', () => this.#wrong && this.#again(), { capture: true });
    for (const link of document.querySelectorAll('.task-open'))
      link.addEventListener('click', event => {
        event.preventDefault();
        history.replaceState(null, '', /** @type {HTMLAnchorElement} */ (link).hash);
        this.#openNamed(true);
      });
  }

  async begin() {
    this.#openNamed(false);
    await this.#progress.load();
    this.#markTasks();
    await this.#progress.bring(this.#facts.id);
    this.#markTasks();
  }

  #tabs() {
    return /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll('#lesson-tabs button')]);
  }

  /** The task that the address names, or else the introduction. @param {boolean} asked by a press */
  #openNamed(asked) {
    const { intro, tasks } = this.#facts;
    const named = tasks.findIndex(({ id }) => location.hash === TASK + id);
    if (named >= 0) this.#at.tasks = named;
    this.#enter(named >= 0 || intro.length === 0 ? 'tasks' : 'intro');
    if (named < 0) return;
    byId('try').scrollIntoView();
    if (asked) this.#board.focus();
  }

  /** @param {Mode} mode */
  #enter(mode) {
    this.#mode = mode;
    for (const button of this.#tabs()) button.setAttribute('aria-pressed', String(button.dataset.mode === mode));
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-part]')))
      part.hidden = !part.dataset.part?.split(' ').includes(mode);
    if (mode === 'free') {
      this.#wrong = false;
      this.#playFreely();
    } else this.#open();
  }

  /** @returns {Step[]} */
  get #steps() {
    return this.#mode === 'tasks' ? this.#facts.tasks : this.#facts.intro;
  }

  get #nth() {
    return this.#mode === 'tasks' ? this.#at.tasks : this.#at.intro;
  }

  get #step() {
    return this.#steps[this.#nth];
  }

  /** Shows the step of the mode on the board and in words. */
  #open() {
    const step = this.#step;
    this.#say('');
    if (this.#mode === 'tasks') {
      byId('task-name').textContent = step.name;
      byId('task-say').textContent = step.say;
    }
    for (const item of document.querySelectorAll('#steps > li')) {
      const nth = [...(item.parentElement?.children ?? [])].indexOf(item);
      item.classList.toggle('is', nth === this.#at.intro);
      if (nth === this.#at.intro) item.setAttribute('aria-current', 'step');
      else item.removeAttribute('aria-current');
    }
    const words = this.#mode === 'tasks' ? this.#words.of : this.#words.step;
    byId('lesson-count').textContent = fill(words, this.#nth + 1, this.#steps.length);
    this.#lesson.open(step);
    this.#offer(false, false);
    this.#markTasks();
  }

  /** Ticks the steps that are done: solved, or passed where there is nothing to do but look. */
  #markSteps() {
    const items = document.querySelectorAll('#steps > li');
    for (const [nth, { id, show }] of this.#facts.intro.entries())
      items[nth].classList.toggle('did', show ? this.#progress.has(this.#facts.id, id) : this.#looked.has(id));
  }

  /** Which buttons there are after a move. @param {boolean} solved @param {boolean} wrong */
  #offer(solved, wrong) {
    this.#wrong = wrong;
    this.#shown = false;
    const last = this.#nth === this.#steps.length - 1;
    const next = buttonById('lesson-next');
    next.classList.toggle('primary', solved);
    next.textContent = last && this.#mode === 'intro' ? this.#words.toTasks : this.#words.next;
    next.disabled = last && (this.#mode === 'tasks' || this.#facts.tasks.length === 0);
    buttonById('lesson-back').disabled = this.#nth === 0;
    buttonById('lesson-again').hidden = !wrong && !solved;
    buttonById('lesson-show').hidden = wrong || solved || !this.#step.show;
  }

  #again() {
    this.#say('');
    this.#lesson.again();
    this.#offer(false, false);
  }

  /** @param {number} by */
  #move(by) {
    if (this.#mode === 'tasks') this.#at.tasks += by;
    else this.#at.intro += by;
    this.#open();
    this.#bringIntoSight();
  }

  /** Brings what is to be done and the whole board into sight, if they are not: whoever goes on has scrolled to the buttons. */
  #bringIntoSight() {
    const words = this.#mode === 'tasks' ? byId('task-say').parentElement : document.querySelector('#steps > .is');
    const parts = [byId('try-board'), words].filter(each => each !== null);
    const [first] = parts.sort((one, other) => topOf(one) - topOf(other));
    const bottom = Math.max(...parts.map(part => part.getBoundingClientRect().bottom));
    const least = parseFloat(getComputedStyle(first).scrollMarginTop);
    if (topOf(first) < least || bottom > innerHeight) first.scrollIntoView();
  }

  #forward() {
    if (!this.#step.show) this.#looked.add(this.#step.id);
    if (this.#nth < this.#steps.length - 1) this.#move(1);
    else {
      this.#enter('tasks');
      this.#bringIntoSight();
    }
  }

  /** @param {TaskVerdict | null} verdict */
  #answered(verdict) {
    if (!verdict) {
      this.#say(this.#words.lessonFailed);
      return;
    }
    const found = verdict.solved && !this.#shown;
    this.#offer(verdict.solved, !verdict.solved);
    this.#markTasks();
    const all = verdict.solved && this.#mode === 'tasks' && this.#done() === this.#facts.tasks.length;
    this.#say([found && this.#words.right, verdict.said, all && this.#words.allDone].filter(Boolean).join(' '));
    byId('try-says').classList.toggle('wrong', !verdict.solved);
  }

  #done() {
    return this.#progress.count(
      this.#facts.id,
      this.#facts.tasks.map(({ id }) => id),
    );
  }

  /** Marks which steps and tasks are done, and which task is open. */
  #markTasks() {
    this.#markSteps();
    for (const { id } of this.#facts.tasks) {
      const card = byId(`card-${id}`);
      const done = this.#progress.has(this.#facts.id, id);
      card.classList.toggle('did', done);
      card.classList.toggle('is', this.#mode === 'tasks' && this.#step.id === id);
      card.querySelector('.tag')?.replaceChildren(...(done ? [create('span', 'tick', '✓'), this.#words.done] : []));
    }
    const count = byId('tasks-count');
    count.textContent = fill(this.#words.of, this.#done(), this.#facts.tasks.length);
    /** @type {HTMLProgressElement} */ (byId('tasks-bar')).value = this.#done();
  }
}

/** @param {Element} part */
const topOf = part => part.getBoundingClientRect().top;

/** @param {string} text @param {number} n @param {number} all */
const fill = (text, n, all) => text.replace('{n}', String(n)).replace('{all}', String(all));

// One step of a lesson on the board: takes one move, asks the server whether it does what the step asks, and shows what
// refutes it if not. Knows no page; the caller shows the words.

/** How long a move stands before the reply to it is shown. */
const REPLY_AFTER_MS = 700;

class Lesson {
  #board;
  #id;
  #progress;
  #onVerdict;
  /** @type {Step | null} */
  #step = null;
  /** Grows with everything that is shown, so that an answer to something else is recognised as late. */
  #turn = 0;

  /**
   * @param {LiveBoard} board @param {string} id @param {Progress} progress
   * @param {(verdict: TaskVerdict | null) => void} onVerdict null: the server did not answer
   */
  constructor(board, id, progress, onVerdict) {
    this.#board = board;
    this.#id = id;
    this.#progress = progress;
    this.#onVerdict = onVerdict;
  }

  /** Shows a step, and takes the moves of the board from now on. @param {Step} step */
  open(step) {
    this.#step = step;
    this.#turn++;
    this.#board.onMove = uci => void this.#try(step, uci);
    const { fen, check, last } = step;
    this.#board.show({ fen, check, last, legal: step.show ? step.legal : null });
  }

  /** Shows the step as it was before the last move. */
  again() {
    if (this.#step) this.open(this.#step);
  }

  /** Plays a move that does what the step asks. */
  showSolution() {
    if (this.#step?.show) void this.#try(this.#step, this.#step.show);
  }

  /** @param {Step} step @param {string} uci */
  async #try(step, uci) {
    const turn = ++this.#turn;
    this.#board.show({ ...step, legal: null, sent: uci });
    const verdict = await judge(this.#id, step.id, uci).catch(() => null);
    if (turn !== this.#turn) return;
    if (verdict?.solved) this.#progress.note(this.#id, step.id, uci);
    if (verdict) this.#stand(verdict);
    else this.open(step);
    this.#onVerdict(verdict);
    if (!verdict?.reply) return;
    const { reply } = verdict;
    setTimeout(() => turn === this.#turn && this.#stand(reply), REPLY_AFTER_MS);
  }

  /** @param {import('./progress.js').After} after */
  #stand({ fen, check, uci }) {
    this.#board.show({ fen, check, last: uci, legal: null });
  }
}

/**
 * What stands beside the board of a puzzle: what to do, what was said to the last move, the buttons, and how the solver
 * stands. Knows no move.
 *
 * @import { LiveBoard } from '../rules/live_board.js'
 * @import { Standing } from './remembered.js'
 * @import { About, Puzzle, Settled, PuzzleVerdict } from './solving.js'
 * @typedef {'wrong' | 'failed' | 'gave_up' | 'streak' | 'rating' | 'gained' | 'all_solved' | 'unrated' | 'rated'} Word
 * @typedef {Record<Word, string>} Words   {places} are filled in here
 */
import { writeFragment } from '../game/fragment.js';
import { requestJson } from '../net/requests.js';
import { buttonById, byId, element, setText } from '../ui/dom.js';
import { Remembered } from './remembered.js';
import { Solving } from './solving.js';

/** From this deviation on a rating is not sure yet, and has a question mark. */
const UNSURE = 110;

export class PuzzlePanel {
  #form;
  #variant;
  #words;
  #board;
  #remembered;
  #solving;
  /** @type {Puzzle | null} */
  #puzzle = null;

  /** @param {{board: LiveBoard, form: string, variant: string, words: Words}} options variant: its id */
  constructor({ board, form, variant, words }) {
    this.#form = form;
    this.#variant = variant;
    this.#words = words;
    this.#board = board;
    this.#remembered = new Remembered(form);
    this.#solving = new Solving(board, this.#remembered, verdict => this.#judged(verdict));
    buttonById('puzzle-next').addEventListener('click', () => void this.next());
    buttonById('puzzle-again').addEventListener('click', () => this.#again());
    buttonById('puzzle-solution').addEventListener('click', () => void this.#giveUp());
    board.element.addEventListener('pointerdown', () => !buttonById('puzzle-again').hidden && this.#again(), {
      capture: true,
    });
  }

  /** The puzzle that the address names, or another. @returns {Promise<void>} */
  async begin() {
    const named = location.hash.slice(1);
    const found = named && (await requestJson(`/api/puzzles/${encodeURIComponent(named)}`).catch(() => null));
    const standing = (await this.#ask())?.standing;
    if (found?.puzzle?.form === this.#form) this.#open(found.puzzle);
    else if (this.#asked) this.#open(this.#asked);
    if (standing) this.#stand(standing);
  }

  /** The puzzle that was asked for last. @type {Puzzle | null} */
  #asked = null;

  /** @returns {Promise<void>} */
  async next() {
    if (!(await this.#ask())) return;
    if (this.#asked) this.#open(this.#asked);
    this.#board.focus();
  }

  /** @returns {Promise<{puzzle: Puzzle | null, standing: Standing} | null>} */
  async #ask() {
    const body = { form: this.#form, ...this.#remembered.asking };
    const answer = await requestJson('/api/puzzles', 'POST', body).catch(() => null);
    this.#asked = answer?.puzzle ?? null;
    if (!answer) this.#say(this.#words.failed, true);
    else if (!answer.puzzle) this.#say(this.#words.all_solved, false);
    if (!answer?.puzzle) buttonById('puzzle-next').hidden = answer !== null;
    return answer;
  }

  /** @param {Puzzle} puzzle */
  #open(puzzle) {
    this.#puzzle = puzzle;
    history.replaceState(null, '', `#${puzzle.id}`);
    setText(byId('puzzle-ask'), puzzle.say);
    setText(byId('puzzle-about'), '');
    this.#say('', false);
    this.#offer({ solution: true });
    this.#solving.open(puzzle);
  }

  #again() {
    this.#say('', false);
    this.#offer({ solution: true });
    this.#solving.again();
  }

  async #giveUp() {
    const solution = await this.#solving.giveUp();
    if (!solution) {
      this.#say(this.#words.failed, true);
      return;
    }
    this.#settle(solution.settled);
    this.#end(this.#words.gave_up, solution.about);
  }

  /** @param {PuzzleVerdict | null} verdict */
  #judged(verdict) {
    this.#say(verdict?.say ?? this.#words.failed, !verdict?.right);
    this.#settle(verdict?.settled ?? null);
    if (verdict?.about) this.#end(verdict.say, verdict.about);
    else if (verdict) this.#offer({ solution: true, again: !verdict.right });
  }

  /** There is nothing more to find. @param {string} said @param {About} about */
  #end(said, { rating, themes, game, moves }) {
    setText(byId('puzzle-ask'), said);
    this.#say('', false);
    setText(byId('puzzle-about'), fill(this.#words.rated, { rating, themes: themes.join(', ') }));
    const { fen, chess960 } = /** @type {Puzzle} */ (this.#puzzle);
    const fragment = writeFragment({ fen, chess960, steps: moves, shown: 0 });
    this.#offer({ next: true, analyse: `/analysis/${this.#variant}#${fragment}`, game: game ?? '' });
    buttonById('puzzle-next').focus({ preventScroll: true });
  }

  /** Which ways there are now. @param {{solution?: boolean, again?: boolean, next?: boolean, analyse?: string, game?: string}} ways */
  #offer({ solution = false, again = false, next = false, analyse = '', game = '' }) {
    buttonById('puzzle-solution').hidden = !solution;
    buttonById('puzzle-again').hidden = !again;
    buttonById('puzzle-next').hidden = !next;
    buttonById('puzzle-next').classList.toggle('primary', next);
    for (const [id, href] of [
      ['puzzle-analyse', analyse],
      ['puzzle-game', game],
    ]) {
      const link = element(id, HTMLAnchorElement);
      link.hidden = !href;
      if (href) link.href = href;
    }
  }

  /** What a try made of the rating, if it was the first. @param {Settled | null} settled */
  #settle(settled) {
    if (!settled) return;
    this.#stand(settled.standing);
    const gained = `${settled.gained < 0 ? '−' : '+'}${Math.abs(settled.gained)}`;
    byId('puzzle-rating').append(` (${fill(this.#words.gained, { gained })})`);
  }

  /** @param {Standing} standing */
  #stand({ value, deviation, tried, streak, best }) {
    const rating = `${Math.round(value)}${deviation > UNSURE ? '?' : ''}`;
    setText(byId('puzzle-rating'), tried ? fill(this.#words.rating, { rating }) : this.#words.unrated);
    setText(byId('puzzle-streak'), tried ? fill(this.#words.streak, { n: streak, best }) : '');
  }

  /** @param {string} text @param {boolean} wrong */
  #say(text, wrong) {
    setText(byId('try-says'), text);
    byId('try-says').classList.toggle('wrong', wrong);
  }
}

/** @param {string} text @param {Record<string, string | number>} values */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));

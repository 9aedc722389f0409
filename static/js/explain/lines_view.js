/**
 * The engine's best lines as a list: what each is worth, and its moves, which can be pressed. Tab reaches the first move, arrow
 * keys the others. While somebody is in the list it stays as it is, so that nobody presses what they did not read.
 *
 * @import { WrittenMove } from './line_writer.js'
 * @import { Score } from './scores.js'
 * @typedef {{score: Score, moves: WrittenMove[]}} EngineLine
 */
import { create, createButton } from '../ui/dom.js';
import { t } from '../words.js';
import { speakScore, writeScore } from './scores.js';

export class LinesView {
  #list = create('ol', 'engine-lines');
  #play;
  /** @type {EngineLine[]} */
  #lines = [];

  /** @param {(ucis: string[]) => void} play the moves of a line, up to the one that was pressed */
  constructor(play) {
    this.#play = play;
    this.#list.setAttribute('aria-label', t('engine.lines_list'));
    this.#list.addEventListener('keydown', event => this.#key(event));
    this.#list.addEventListener('focusout', () => requestAnimationFrame(() => this.#draw()));
  }

  get element() {
    return this.#list;
  }

  /** Lines of the same position as before. @param {EngineLine[]} lines */
  show(lines) {
    this.#lines = lines;
    this.#draw();
  }

  /** Removes them at once: another position is looked at. */
  clear() {
    this.#lines = [];
    this.#draw(true);
  }

  /** @param {boolean} [anyway] */
  #draw(anyway = false) {
    const focused = this.#list.contains(document.activeElement);
    if (focused && !anyway) return;
    this.#list.replaceChildren(...this.#lines.map((line, nth) => this.#item(line, nth)));
    if (focused) this.#buttons()[0]?.focus({ preventScroll: true });
  }

  /** @param {EngineLine} line @param {number} nth */
  #item({ score, moves }, nth) {
    const worth = create('b', 'line-score', create('span', '', writeScore(score)));
    worth.append(create('span', 'visually-hidden', ` ${speakScore(score)}`));
    worth.firstElementChild?.setAttribute('aria-hidden', 'true');
    worth.classList.toggle('for-black', score.points < 0);
    const buttons = moves.map(({ san, number }, at) => {
      const ucis = moves.slice(0, at + 1).map(({ uci }) => uci);
      const button = createButton('', () => this.#play(ucis), number ? create('span', 'number', number) : '', san);
      button.tabIndex = nth || at ? -1 : 0;
      return button;
    });
    return create('li', 'engine-line', worth, create('span', 'line-moves', ...buttons));
  }

  #buttons() {
    return [...this.#list.querySelectorAll('button')];
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const buttons = this.#buttons();
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const rows = [...this.#list.children].map(item => item.querySelector('button'));
    const row = rows.findIndex(first => first?.closest('li')?.contains(document.activeElement));
    /** @type {Record<string, HTMLButtonElement | null | undefined>} */
    const places = {
      ArrowRight: buttons[at + 1],
      ArrowLeft: buttons[at - 1],
      ArrowDown: rows[row + 1],
      ArrowUp: rows[row - 1],
      Home: buttons[0],
      End: rows.at(-1),
    };
    if (at < 0 || !(event.key in places) || event.ctrlKey || event.altKey || event.metaKey) return;
    // Elsewhere on the page these keys step through the moves.
    event.stopPropagation();
    event.preventDefault();
    places[event.key]?.focus();
  }
}

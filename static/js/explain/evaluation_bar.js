/** The bar beside the board that shows how the chances stand: White's part is light, and at the side where White is. */
import { create } from '../ui/dom.js';
import { t } from '../words.js';
import { chancesOf, speakScore } from './scores.js';

export class EvaluationBar {
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

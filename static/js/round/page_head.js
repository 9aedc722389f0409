/**
 * What the page says about the game as a whole: the title of its tab, the terms, the rules while they are new to the
 * player, and the score sheet at its end.
 *
 * @import { GameState } from '../game/model.js'
 */
import { timeControlWords } from '../game/clock.js';
import { isMyTurn } from '../game/model.js';
import { t } from '../words.js';
import { byId, element } from '../ui/dom.js';
import { loadScoreSheet } from './score_sheet.js';

/** From this half-move on, and at the end, the rules have been read, and moves and chat want their room. */
const RULES_FOLD_AT_PLY = 8;

export class PageHead {
  #title = document.title;
  #terms = byId('terms');
  #rules = element('how', HTMLDetailsElement);
  #folded = false;
  #unread = 0;
  #over = false;
  #hurry = '';

  /** @param {GameState} state @param {number} unread lines of the chat */
  render(state, unread) {
    this.#unread = unread;
    this.#renderTitle(state);
    if (state.ended && !this.#over) loadScoreSheet();
    this.#over = state.ended !== null;
    const words = [timeControlWords(state), state.rated ? t('terms.rated') : ''].filter(Boolean);
    this.#terms.textContent = words.join(' · ');
    if ((state.plies.length >= RULES_FOLD_AT_PLY || state.ended) && !this.#folded) {
      this.#rules.open = false;
      this.#folded = true;
    }
  }

  /** @param {string} hurry how little time is left, '' while there is enough @param {GameState} state */
  hurry(hurry, state) {
    if (hurry === this.#hurry) return;
    this.#hurry = hurry;
    this.#renderTitle(state);
  }

  /** @param {GameState} state */
  #renderTitle(state) {
    const unread = this.#unread ? t('round.unread', { n: this.#unread }) : '';
    const mine = isMyTurn(state) ? t('round.your_turn') : '';
    document.title = [this.#hurry, unread, mine, this.#title].filter(Boolean).join(' · ');
  }
}

/**
 * What the page says about the game as a whole: the tab's title, the time control, and the score sheet at the
 * end.
 *
 * @import { GameState } from '../game/model.js'
 */
import { timeControlWords } from '../game/clock.js';
import { isMyTurn } from '../game/model.js';
import { t } from '../words.js';
import { byId } from '../ui/dom.js';

export class PageHead {
  #title = document.title;
  #terms = byId('terms');
  #unread = 0;
  #over = false;
  #hurry = '';

  /** @param {GameState} state @param {number} unread chat messages */
  render(state, unread) {
    this.#unread = unread;
    this.#renderTitle(state);
    if (state.ended && !this.#over) loadScoreSheet();
    this.#over = state.ended !== null;
    const words = [timeControlWords(state), t(state.rated ? 'terms.rated' : 'terms.casual')].filter(Boolean);
    this.#terms.textContent = words.join(' · ');
  }

  /** @param {string} hurry the last seconds to begin, '' while there is enough time @param {GameState} state */
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

// The score sheet that is printed of a finished game. The server puts it into the page of such a game; a page that was open
// while the game was played fetches it at the end. Knows no game.

const SHEET = '.score-sheet';

/** Puts the sheet at the end of the page, unless it is there. Without a connection the page is printed as it is. */
function loadScoreSheet() {
  if (document.querySelector(SHEET)) return;
  // Lets the browser parse the page: the scripts of this site may not turn text into elements.
  const request = new XMLHttpRequest();
  request.responseType = 'document';
  request.onload = () => {
    const sheet = request.responseXML?.querySelector(SHEET);
    if (sheet && !document.querySelector(SHEET)) document.querySelector('main')?.append(document.adoptNode(sheet));
  };
  request.open('GET', location.pathname);
  request.send();
}

/**
 * The page around the game: the tab's title, the time control, the score sheet at the end, and what is asked of whoever
 * leaves.
 *
 * @import { GameState } from '../game/model.js'
 */
import { timeControlWords } from '../game/clock.js';
import { isMyTurn } from '../game/model.js';
import { t } from '../words.js';
import { byId } from '../ui/dom.js';
import { opposite } from '../board/variant.js';
import { storeHasGames, storeLeftOver } from '../notifications/stored_games.js';

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

// The browser asks who leaves the board first if that could cost something, because one's clock runs and the opponent may soon
// claim the game, or because a move is not sent yet. And the other pages of this site listen for a game that is left, also
// for one that is over: the opponent may want another.

/** From then on the clocks run (server: games/status). */
const BEGUN_PLIES = 2;

/** Can the opponent claim the game if the reader stays away? The computer never does. @param {GameState} state */
const isAtStake = ({ you, status, days, cap, initial, plies, seats }) =>
  you !== null &&
  !seats[opposite(you)].level &&
  status === 'live' &&
  days === null &&
  cap === null &&
  initial[you] !== null &&
  plies.length >= BEGUN_PLIES;

/** @param {{state: () => GameState, hasUnsent: () => boolean}} options   hasUnsent: is something entered that is not sent yet? */
export function guardLeaving({ state, hasUnsent }) {
  addEventListener('beforeunload', event => {
    if (isAtStake(state()) || hasUnsent()) event.preventDefault();
  });
  addEventListener('pagehide', () => {
    const { you, ended } = state();
    if (isAtStake(state())) storeHasGames(true);
    if (you && ended) storeLeftOver();
  });
}

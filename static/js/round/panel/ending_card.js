/**
 * How the game ended, for who looks at it, and the ways on: the result in two words, why, how the rating changed, a rematch,
 * somebody else, the analysis.
 *
 * @import { GameState } from '../../game/model.js'
 * @import { PlayerRating } from '../../net/wire.js'
 */
import { keepSeek, sameGame } from '../../game/seek_again.js';
import { t } from '../../words.js';
import { byId, create, element, setText } from '../../ui/dom.js';
import { endingReason, endingTitle } from '../words.js';

export class EndingCard {
  #card = byId('ending');
  #title = byId('ending-title');
  #words = byId('result');
  #change = byId('ending-change');
  #newOpponent = element('new-opponent', HTMLAnchorElement);
  /** @type {GameState | null} */
  #state = null;

  constructor() {
    this.#newOpponent.addEventListener('click', () => this.#seekAgain());
  }

  /** @param {GameState} state */
  render(state) {
    const { ended, you, ratings } = state;
    this.#state = state;
    const pressed = ended && this.#card.hidden && byId('controls').contains(document.activeElement);
    this.#card.hidden = !ended;
    setText(this.#words, endingReason(state));
    if (!ended) return;
    setText(this.#title, endingTitle(ended, you));
    this.#card.dataset.outcome = you && ended.winner ? (ended.winner === you ? 'won' : 'lost') : '';
    this.#newOpponent.hidden = you === null;
    this.#renderChange(you && ratings[you]);
    // Whoever resigned by a key: the button goes. Not to a button, which the key, held, would press.
    if (pressed) this.#title.focus();
  }

  /** The front page, to which the link leads, then seeks the same. Whose opponent never came waits again already; and after
   * a game against the computer the link leads to its levels. */
  #seekAgain() {
    const { variant } = this.#newOpponent.dataset;
    if (variant && this.#state?.ended && this.#state.ended.reason !== 'expired')
      keepSeek(sameGame(this.#state, variant));
  }

  /** "1684 → 1692 +8". @param {PlayerRating | null} rating */
  #renderChange(rating) {
    const change = rating?.change ?? null;
    this.#change.hidden = change === null;
    if (!rating || change === null || this.#change.hasChildNodes()) return;
    const moved = create('b', '', change < 0 ? `−${-change}` : change > 0 ? `+${change}` : '±0');
    if (change < 0) moved.dataset.lost = '';
    this.#change.append(t('ratings.change', { before: rating.rating, after: rating.rating + change }), ' ', moved);
  }
}

/**
 * The games that wait for the reader, in the head of every page but the front page, which shows all of theirs: how many they
 * are, and the most urgent ones where there is room. Knows no socket.
 *
 * A link stays the same element as long as its game waits: news come while somebody is on it with the keyboard.
 *
 * @import { YourGame, YourGames } from '../net/wire.js'
 */
import { create, createLink, setText } from '../ui/dom.js';
import { personName, t } from '../words.js';
import { isUrgent, timeLeft } from '../your_games/your_game.js';

/** The widest window has room for no more (static/css/base/waiting_strip.css). */
const MOST = 3;
const MINUTE = 60_000;

export class WaitingStrip {
  #place = document.getElementById('waiting-strip');
  #here;
  /** @type {YourGame[]} the most urgent first; `left` is counted from `#at` on */
  #games = [];
  /** How many wait, those that the server has left out of its list among them. */
  #count = 0;
  #at = 0;
  /** Those that are shown, by the id of the game. @type {Map<string, HTMLAnchorElement>} */
  #links = new Map();
  #badge = create('span', 'badge');
  #all = createLink('waiting-all', '/games/mine', this.#badge);

  /** @param {string} here the id of the game whose page this is, '' on other pages */
  constructor(here) {
    this.#here = here;
    setInterval(() => this.#games.some(({ left }) => left !== undefined) && this.#show(), MINUTE);
  }

  /** @param {YourGames} message */
  receive({ games, waiting, urgent = waiting }) {
    this.#games = games.filter(game => isUrgent(game) && game.id !== this.#here);
    const here = games.some(game => isUrgent(game) && game.id === this.#here) ? 1 : 0;
    this.#count = urgent - here;
    this.#at = Date.now();
    this.#show();
  }

  #show() {
    const place = this.#place;
    if (!place) return;
    place.hidden = !this.#count;
    const words = t('notifications.games_wait', { n: this.#count });
    place.setAttribute('aria-label', words);
    this.#all.setAttribute('aria-label', words);
    this.#all.title = words;
    const [only] = this.#games;
    this.#all.href = this.#count === 1 && only ? `/${only.id}` : '/games/mine';
    setText(this.#badge, String(this.#count));
    this.#arrange(place, this.#games.slice(0, MOST));
  }

  /** Leaves the focus where it is, or on the link to all games. @param {HTMLElement} place @param {YourGame[]} games */
  #arrange(place, games) {
    const links = new Map(games.map(game => [game.id, this.#links.get(game.id) ?? gameLink(game)]));
    const passed = Date.now() - this.#at;
    for (const game of games) showTime(links.get(game.id), game, passed);
    this.#links = links;
    const wanted = [...links.values(), this.#all];
    if (place.children.length === wanted.length && wanted.every((link, nth) => link === place.children[nth])) return;
    const focused = document.activeElement;
    const isHere = place.contains(focused);
    place.replaceChildren(...wanted);
    if (isHere) (wanted.find(link => link === focused) ?? this.#all).focus({ preventScroll: true });
  }
}

/** @param {YourGame} game */
const gameLink = ({ id, by = '' }) =>
  createLink('waiting-game', `/${id}`, create('b', '', personName(by)), create('small', ''));

/** @param {HTMLElement | undefined} link @param {YourGame} game @param {number} passed ms since the server told of it */
function showTime(link, { left, live, to_move }, passed) {
  const place = link?.querySelector('small');
  if (place)
    setText(
      place,
      live ? t(to_move ? 'lobby.your_turn' : 'notifications.now') : left === undefined ? '' : timeLeft(left - passed),
    );
}

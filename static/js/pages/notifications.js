/**
 * On every page but the front page, which has its own socket to the lobby (a game's page and TV have this in their own
 * files): shows which games wait for the reader, and notifies them when a seek matches one of their alerts, when somebody
 * challenges them by name, and when it is their turn. While they wait for an opponent they can read other pages: any open page
 * keeps the seek alive, and tells them when their game has begun.
 *
 * @import { YourGame, YourGames } from '../net/wire.js'
 */
import {
  notifyOfChallenge,
  notifyOfMessage,
  notifyOfRematch,
  notifyOfSeek,
  notifyOfTournament,
} from '../notifications/incoming.js';
import { waitingChallenges } from '../notifications/challenges.js';
import { titleWithCount, TurnNotifier } from '../notifications/turn_notifier.js';
import { isSeeking, storedAlerts, storeSeeking } from '../notifications/stored_alerts.js';
import { hasGames, storeHasGames, trackBoardInFront } from '../notifications/stored_games.js';
import { notify } from '../notifications/browser_notifications.js';
import { followSiteNotice } from '../notifications/site_notice.js';
import { PROTOCOL } from '../net/messages.js';
import { openWithPage, socketAddress } from '../net/page_socket.js';
import { Socket } from '../net/socket.js';
import { showNotificationBar } from '../ui/notification_bar.js';
import { Sounds } from '../ui/audio/sound.js';
import { personName, t } from '../words.js';
import { create, createLink, setText } from '../ui/dom.js';
import { isUrgent, timeLeft } from '../your_games/your_game.js';

// The strip of games that wait for the reader, in the head of every page but the front page, which shows all of theirs: how many they
// are, and the most urgent ones where there is room. Knows no socket.
//
// A link stays the same element as long as its game waits: news come while somebody is on it with the keyboard.

/** The widest window has room for no more (static/css/base/waiting_strip.css). */
const MOST = 3;
const MINUTE = 60_000;

class WaitingStrip {
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

/** @param {import('../net/wire.js').SeekView} seek */
function hear(seek) {
  const words = notifyOfSeek(seek);
  if (words) showNotificationBar(words, t('notifications.open_lobby'), '/');
}

/** @param {string} game */
function begun(game) {
  sounds.play('pairing');
  if (document.hidden) notify(t('lobby.begun'), '', `/${game}`, `/${game}`);
  showNotificationBar(t('lobby.begun'), t('notifications.open_game'), `/${game}`);
}

/** @param {import('../net/wire.js').Challenged} message */
async function challenged(message) {
  const words = notifyOfChallenge(message, await waitingChallenges());
  showNotificationBar(words, t('notifications.open_game'), `/${message.game}`);
}

followSiteNotice();
const title = document.title;
const here = document.getElementById('round') ? location.pathname.slice(1) : '';
const sounds = new Sounds();
const games = new TurnNotifier(here, sounds);
const strip = new WaitingStrip(here);
if (here) trackBoardInFront(here);
// The game may not be the reader's; the server then tells whether they have any.
if (document.getElementById('round')?.hasAttribute('data-by-days')) storeHasGames(true);

/** @param {import('../net/wire.js').YourGames} message */
function hearOfGames(message) {
  games.receive(message);
  strip.receive(message);
  // For what shows them beside the board.
  document.dispatchEvent(new CustomEvent('your-games', { detail: message }));
  // On the page of a game, the title is the game's.
  if (!here) document.title = titleWithCount(title, message.waiting);
}

/** The id of somebody whose opponent never came, '' otherwise. @type {string} */
let waited = '';
/** The owner of each open seek, by the seek's id. @type {Map<string, string>} */
const makers = new Map();
let listening = false;

/** Tells somebody whose opponent never came that their seek is open again. */
function tellWaiting() {
  const theirs = [...makers].filter(([, by]) => by === waited).map(([id]) => id);
  if (!waited || !theirs.length) return;
  waited = '';
  storeSeeking(theirs);
  showNotificationBar(t('notifications.waits_again'), t('notifications.open_lobby'), '/');
}

/** @param {import('../net/wire.js').LobbyOutbound} message */
function receive(message) {
  switch (message.t) {
    case 'seeks':
      makers.clear();
      for (const { id, by } of message.seeks) makers.set(id, by);
      break;
    case 'seek_added':
      makers.set(message.seek.id, message.seek.by);
      hear(message.seek);
      break;
    case 'seek_gone':
      makers.delete(message.id);
      break;
    case 'paired':
      begun(message.game);
      break;
    case 'your_games':
      hearOfGames(message);
      break;
    case 'written':
      sounds.play('chat');
      showNotificationBar(notifyOfMessage(message), t('notifications.read_it'), `/${message.game}`);
      break;
    case 'rematch_offered':
      // It was kept for the reader's next page; the board itself shows it.
      if (message.game === here) break;
      sounds.play('offer');
      showNotificationBar(notifyOfRematch(message), t('notifications.open_game'), `/${message.game}`);
      break;
    case 'tournament_soon':
      sounds.play('turn');
      showNotificationBar(
        notifyOfTournament(message),
        t('notifications.to_tournament'),
        `/tournament/${message.tournament}`,
      );
      break;
    case 'challenged':
      sounds.play('turn');
      void challenged(message);
      break;
  }
  tellWaiting();
}

function listen() {
  if (listening) return;
  listening = true;
  openWithPage(
    new Socket({
      url: socketAddress('/ws/lobby'),
      greeting: () => ({ t: 'hi', proto: PROTOCOL, games: 1 }),
      onMessage: receive,
      onState: () => {},
      reload: () => false,
    }),
  );
}

const isMember = document.documentElement.hasAttribute('data-member');
/** A game that is kept in this browser is played without the server. */
const isOffline = document.body.classList.contains('offline-game');
if (isOffline) listening = true;
if (isMember || storedAlerts()?.alerts.length || isSeeking() || hasGames()) listen();
// Sent by the page of a game whose opponent never came: the reader's seek is open again while a page listens.
document.addEventListener('waited-in-vain', event => {
  waited = /** @type {CustomEvent<string>} */ (event).detail;
  listen();
  tellWaiting();
});

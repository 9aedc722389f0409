/**
 * On every page but the front page, which has the lobby's line itself: calls its reader when a seek answers a standing
 * offer that they left in this browser, when somebody challenges them by name, and when it is their turn in a game.
 * Whoever waits for an opponent can read other pages meanwhile: any open page keeps the seek alive, and tells them that
 * their game has begun.
 */
import { callFor, callForChallenge } from '../calls/calling.js';
import { GameNews, titleWith } from '../calls/game_news.js';
import { isSeeking, keepSeeking, kept } from '../calls/kept.js';
import { keepInFront, keepPlaying, playsGames } from '../calls/kept_games.js';
import { notify } from '../calls/notify.js';
import { PROTOCOL } from '../net/messages.js';
import { lineAddress, openWithPage } from '../net/page_line.js';
import { Line } from '../net/socket.js';
import { showBar } from '../ui/call_bar.js';
import { t } from '../words.js';

/** @param {import('../calls/matching.js').Seek} seek */
function hear(seek) {
  const words = callFor(seek);
  if (words) showBar(words, t('calls.open_lobby'), '/');
}

/** @param {string} game */
function begun(game) {
  if (document.hidden) notify(t('calls.begun'), '', 'begun', `/${game}`);
  showBar(t('calls.begun'), t('calls.open_game'), `/${game}`);
}

const title = document.title;
const here = document.getElementById('round') ? location.pathname.slice(1) : '';
const games = new GameNews(here);
if (here) keepInFront(here);
// Whether it is theirs the server says, and then whether they have any.
if (document.getElementById('round')?.hasAttribute('data-by-days')) keepPlaying(true);

/** @param {import('../ui/games_strip.js').YourGames} told */
function hearOfGames(told) {
  games.hear(told);
  // The page of a game has its own news to tell there.
  if (!here) document.title = titleWith(title, told.waiting);
}

/** who has waited at a board in vain, '' while nobody has @type {string} */
let waited = '';
/** whose seek stands, by its id @type {Map<string, string>} */
const makers = new Map();
let listening = false;

/** Whoever waited in vain at the board of this page waits for another opponent. */
function tellWaiting() {
  const theirs = [...makers].filter(([, by]) => by === waited).map(([id]) => id);
  if (!waited || !theirs.length) return;
  waited = '';
  keepSeeking(theirs);
  showBar(t('calls.waits_again'), t('calls.open_lobby'), '/');
}

/** @param {any} message */
function receive(message) {
  const { t: tag, id, seek, seeks, game, by } = message;
  if (tag === 'seeks') makers.clear();
  if (tag === 'seek_gone') makers.delete(id);
  for (const one of seeks ?? (seek ? [seek] : [])) makers.set(one.id, one.by);
  if (tag === 'seek_added') hear(seek);
  if (tag === 'paired') begun(game);
  if (tag === 'your_games') hearOfGames(message);
  if (tag === 'challenged') showBar(callForChallenge(by, game), t('calls.open_game'), `/${game}`);
  tellWaiting();
}

function listen() {
  if (listening) return;
  listening = true;
  openWithPage(new Line({
    url: lineAddress('/ws/lobby'),
    greeting: () => ({ t: 'hi', proto: PROTOCOL, games: 1 }),
    onMessage: receive,
    onState: () => {},
    reload: () => false,
  }));
}

const isMember = document.documentElement.hasAttribute('data-member');
if (isMember || kept()?.alerts.length || isSeeking() || playsGames()) listen();
// The page of a game says so when nobody came to it: then its reader's seek stands again while a page listens.
document.addEventListener('waited-in-vain', event => {
  waited = /** @type {CustomEvent<string>} */ (event).detail;
  listen();
  tellWaiting();
});

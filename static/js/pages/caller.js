/**
 * On every page but the front page, which has the lobby's line itself: calls its reader when a seek answers a standing
 * offer that they left in this browser, when somebody challenges them by name, and when it is their turn in a game.
 * Whoever waits for an opponent can read other pages meanwhile: any open page keeps the seek alive, and tells them that
 * their game has begun.
 */
import { callFor, callForChallenge } from '../calls/calling.js';
import { GameNews, titleWith } from '../calls/game_news.js';
import { isSeeking, kept } from '../calls/kept.js';
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

const isMember = document.documentElement.hasAttribute('data-member');
if (isMember || kept()?.alerts.length || isSeeking() || playsGames())
  openWithPage(new Line({
    url: lineAddress('/ws/lobby'),
    greeting: () => ({ t: 'hi', proto: PROTOCOL, games: 1 }),
    onMessage: (/** @type {any} */ message) => {
      const { t: tag, seek, game, by } = message;
      if (tag === 'seek_added') hear(seek);
      if (tag === 'paired') begun(game);
      if (tag === 'your_games') hearOfGames(message);
      if (tag === 'challenged') showBar(callForChallenge(by, game), t('calls.open_game'), `/${game}`);
    },
    onState: () => {},
    reload: () => false,
  }));

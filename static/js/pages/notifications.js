/**
 * On every page but the front page, which has its own socket to the lobby (a game's page and TV have this in their own
 * files): shows which games wait for the reader, and notifies them when a seek matches one of their alerts, when somebody
 * challenges them by name, and when it is their turn. While they wait for an opponent they can read other pages: any open page
 * keeps the seek alive, and tells them when their game has begun.
 */
import { notifyOfSeek, notifyOfChallenge, notifyOfMessage, notifyOfRematch } from '../notifications/incoming.js';
import { waitingChallenges } from '../notifications/challenges.js';
import { TurnNotifier, titleWithCount } from '../notifications/turn_notifier.js';
import { isSeeking, storeSeeking, storedAlerts } from '../notifications/stored_alerts.js';
import { trackBoardInFront, storeHasGames, hasGames } from '../notifications/stored_games.js';
import { notify } from '../notifications/browser_notifications.js';
import { WaitingStrip } from '../notifications/waiting_strip.js';
import { followSiteNotice } from '../notifications/site_notice.js';
import { PROTOCOL } from '../net/messages.js';
import { socketAddress, openWithPage } from '../net/page_socket.js';
import { Socket } from '../net/socket.js';
import { showNotificationBar } from '../ui/notification_bar.js';
import { Sounds } from '../ui/audio/sound.js';
import { t } from '../words.js';

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

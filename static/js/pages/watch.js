/**
 * Games in play on one page: the best large, the others on a wall beside it, and recent ones where few are played. The
 * server says which games to show, the best first, and every move in them.
 *
 * @import { TvVariant } from '../tv/tv_game.js'
 * @import { Finished } from '../tv/recent_games.js'
 */
import './notifications.js'; // in this file, so that the page has one request less
import { t } from '../words.js';
import { Socket } from '../net/socket.js';
import { allowReload, reloadOnce } from '../net/reload.js';
import { PROTOCOL } from '../net/messages.js';
import { socketAddress, openWithPage } from '../net/page_socket.js';
import { requestJson } from '../net/requests.js';
import { buttonById, byId, create, pageFacts, revealIn, setText } from '../ui/dom.js';
import { followBigScreen } from '../tv/big_screen.js';
import { asBoard, bestOf } from '../tv/recent_games.js';
import { overWords, TvGame } from '../tv/tv_game.js';
import { TvMoves } from '../tv/tv_moves.js';
import { siteStorage } from '../storage.js';

const TICK_MS = 500;
const COUNT_AGAIN_MS = 10_000;
/** How long the final move of a game stays on the page, with its result. */
const RESULT_MS = 10_000;
/** How many games make a whole wall. */
const WALL = 6;
/** Whether the chat is open. */
const CHAT = 'tv-chat';

/** @type {{variants: Record<string, TvVariant>, variant: string | null}} */
const page = pageFacts();
const tv = byId('tv');
const wall = byId('wall');
const recent = byId('recent');
/** @type {Map<string, TvGame>} */
const games = new Map();
const moves = new TvMoves();
const nextGame = buttonById('tv-next-game');
let askedForRecent = false;

/** A place on the wall that is free: the others stay where they are until the next game takes it. */
const FREE = '.tv-free';

/** Tells of the large game those who do not see it. @param {TvGame | undefined} game @param {string} text */
function say(game, text) {
  if (game?.element.parentElement === tv) setText(byId('tv-says'), text);
}

/** Gives the large place to the next game if it is free, and what is left of the wall to recent games. */
function arrange() {
  const next = wall.querySelector('.tv-game');
  if (!tv.children.length && next) {
    free(next);
    enlarge(next);
  }
  if (!wall.querySelector('.tv-game')) wall.replaceChildren();
  byId('watch-empty').hidden = games.size > 0;
  const room = WALL - wall.children.length;
  for (const [at, one] of [...recent.children].entries()) if (one instanceof HTMLElement) one.hidden = at >= room;
  byId('recent-games').hidden = room <= 0 || !recent.children.length;
  byId('wall-note').hidden = wall.children.length > 0 || recent.children.length > 0;
  if (room > 0) void fillWithRecent();
  const [id = '', game = null] = largeGame() ?? [];
  moves.follow(id, game);
  nextGame.hidden = !wall.querySelector('.tv-game');
  followChat();
}

/** The game that is shown large, with its id. */
const largeGame = () => [...games].find(([, { element }]) => element.parentElement === tv);

/** @param {Element} tile */
function enlarge(tile) {
  tv.append(tile);
  const [, game] = largeGame() ?? [];
  say(game, game?.title ?? '');
}

/** Shows the first game of the wall large, and the one before it as the last of the wall: pressed again and again, each has its turn. */
function showNextGame() {
  const next = wall.querySelector('.tv-game');
  const before = tv.firstElementChild;
  if (!next || !before) return;
  for (const place of wall.querySelectorAll(FREE)) place.remove();
  wall.append(before);
  enlarge(next);
  arrange();
}

/** @type {import('./on_request/tv_chat.js').TvChat | null} null: not loaded yet */
let chat = null;
const chatPlace = /** @type {HTMLDetailsElement} */ (byId('tv-chat'));

/** The open chat is that of the large game. */
function followChat() {
  const [id = ''] = largeGame() ?? [];
  chat?.follow(chatPlace.open ? id : '');
}

/** Opens the chat, and every time again in this browser until it is closed. */
async function openChat() {
  siteStorage.set(CHAT, chatPlace.open ? 'open' : null);
  if (chatPlace.open && !chat) {
    const { script = '', failed = '' } = chatPlace.dataset;
    try {
      /** @type {typeof import('./on_request/tv_chat.js')} */
      const code = await import(script);
      chat ??= new code.TvChat();
    } catch {
      setText(byId('tv-chat-says'), failed);
      return;
    }
  }
  followChat();
}

/** @param {import('../net/wire.js').Board} shown */
function add(shown) {
  const variant = page.variants[shown.variant];
  if (!variant || games.has(shown.game)) return;
  const game = new TvGame(shown, variant);
  games.set(shown.game, game);
  const place = wall.querySelector(FREE);
  if (!tv.children.length && !wall.children.length) tv.append(game.element);
  else if (place) place.replaceWith(game.element);
  else wall.append(game.element);
}

/** @param {Element} tile whose place on the wall is kept */
function free(tile) {
  tile.replaceWith(create('li', 'tv-free'));
}

/** @param {string} id */
function remove(id) {
  const tile = games.get(id)?.element;
  if (tile?.parentElement === wall) free(tile);
  else tile?.remove();
  games.delete(id);
}

/** Asks for recent games, once. */
async function fillWithRecent() {
  if (askedForRecent) return;
  askedForRecent = true;
  const path = `/api/games?source=played${page.variant ? `&variant=${encodeURIComponent(page.variant)}` : ''}`;
  /** @type {{games: Finished[]}} */
  const found = await requestJson(path).catch(() => ({ games: [] }));
  for (const one of bestOf(found.games, WALL)) {
    const variant = page.variants[one.variant];
    if (!variant || games.has(one.id)) continue;
    const shown = new TvGame(asBoard(one), { ...variant, pocketRoles: [] });
    shown.over(one.result, {});
    recent.append(shown.element);
  }
  arrange();
}

/** @param {import('../net/wire.js').TvOutbound} message */
function receive(message) {
  switch (message.t) {
    case 'boards':
      allowReload();
      games.clear();
      for (const place of [tv, wall]) place.replaceChildren();
      message.boards.forEach(add);
      break;
    case 'board_added':
      add(message.board);
      break;
    case 'board_moved':
      move(message);
      break;
    case 'board_gone':
      if (message.clock) leaveSoon(message.game, message.result, message.clock);
      // A deleted game leaves nothing to look at.
      else remove(message.game);
      break;
  }
  arrange();
}

/** @param {Extract<import('../net/wire.js').TvOutbound, {t: 'board_moved'}>} message */
function move(message) {
  const game = games.get(message.game);
  game?.moved(message);
  if (game?.element.parentElement === tv) moves.moved();
  say(game, game?.lastMove ?? '');
}

/** @param {string} id @param {string | undefined} result @param {import('../net/wire.js').Clocks} clock */
function leaveSoon(id, result, clock) {
  const game = games.get(id);
  if (!game) return;
  game.over(result, clock);
  say(game, overWords(result));
  setTimeout(() => {
    // After a lost connection the same game may have come anew.
    if (games.get(id) !== game) return;
    remove(id);
    arrange();
  }, RESULT_MS);
}

/** Says at each variant how many games are in play. Says nothing anew if the server does not answer. */
async function countGames() {
  /** @type {{playing: number, variants: Record<string, number>} | null} */
  const now = await requestJson('/api/now').catch(() => null);
  if (!now) return;
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-playing]'))) {
    const { playing } = place.dataset;
    const n = playing ? (now.variants[playing] ?? 0) : now.playing;
    setText(place, n ? t('terms.n_games', { n }) : '');
  }
}

openWithPage(
  new Socket({
    url: socketAddress('/ws/watch'),
    greeting: () => ({ t: 'hi', proto: PROTOCOL, ...(page.variant ? { variant: page.variant } : {}) }),
    onMessage: receive,
    onState: state =>
      (byId('tv-connection').textContent = state === 'open' || state === 'connecting' ? '' : t('site.disconnected')),
    reload: reloadOnce,
  }),
);
setInterval(() => {
  for (const game of games.values()) game.tick();
}, TICK_MS);
// On a narrow screen the shelf is wider than the window: the chosen variant comes into sight.
const shelf = document.querySelector('.watch-shelf');
const chosen = shelf?.querySelector('[aria-current]');
if (shelf instanceof HTMLElement && chosen instanceof HTMLElement) revealIn(shelf, chosen);
chatPlace.addEventListener('toggle', () => void openChat());
chatPlace.open = siteStorage.get(CHAT) === 'open';
nextGame.addEventListener('click', showNextGame);
followBigScreen();
void countGames();
setInterval(() => {
  if (!document.hidden) void countGames();
}, COUNT_AGAIN_MS);

/**
 * Games in play on one page. The server says which games to show, and every move in them.
 *
 * @import { TvVariant } from '../tv/tv_game.js'
 */
import { t } from '../words.js';
import { Socket } from '../net/socket.js';
import { allowReload, reloadOnce } from '../net/reload.js';
import { PROTOCOL } from '../net/messages.js';
import { socketAddress, openWithPage } from '../net/page_socket.js';
import { byId, pageFacts } from '../ui/dom.js';
import { TvGame } from '../tv/tv_game.js';

const TICK_MS = 500;
/** How long the result of a game stays on the page. */
const RESULT_MS = 12_000;

/** @type {{variants: Record<string, TvVariant>, variant: string | null}} */
const page = pageFacts();
/** @type {Map<string, TvGame>} */
const games = new Map();

/** @param {import('../net/wire.js').Board} shown */
function add(shown) {
  const variant = page.variants[shown.variant];
  if (!variant || games.has(shown.game)) return;
  const game = new TvGame(shown, variant);
  games.set(shown.game, game);
  byId('tv').append(game.element);
}

/** @param {string} id */
function remove(id) {
  games.get(id)?.element.remove();
  games.delete(id);
  byId('watch-empty').hidden = games.size > 0;
}

/** @param {import('../net/wire.js').TvOutbound} message */
function receive(message) {
  switch (message.t) {
    case 'boards':
      allowReload();
      for (const id of [...games.keys()]) remove(id);
      message.boards.forEach(add);
      break;
    case 'board_added':
      add(message.board);
      break;
    case 'board_moved':
      games.get(message.game)?.moved(message);
      break;
    case 'board_gone':
      // A deleted game leaves nothing to look at.
      if (!message.clock) return remove(message.game);
      games.get(message.game)?.over(message.result, message.clock);
      setTimeout(() => remove(message.game), RESULT_MS);
      break;
  }
  byId('watch-empty').hidden = games.size > 0;
}

openWithPage(
  new Socket({
    url: socketAddress('/ws/watch'),
    greeting: () => ({ t: 'hi', proto: PROTOCOL, ...(page.variant ? { variant: page.variant } : {}) }),
    onMessage: receive,
    onState: state =>
      (byId('tv-connection').textContent =
        state === 'open' || state === 'connecting' ? '' : t('watch.connection_lost')),
    reload: reloadOnce,
  }),
);
setInterval(() => {
  for (const game of games.values()) game.tick();
}, TICK_MS);

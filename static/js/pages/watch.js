/**
 * Games in play on one page. The server says which boards hang on the wall, and every move on them.
 */
import { t } from '../words.js';
import { Line } from '../net/socket.js';
import { reloadHelped, reloadOnce } from '../net/reload.js';
import { PROTOCOL } from '../net/messages.js';
import { lineAddress, openWithPage } from '../net/page_line.js';
import { WallGame } from '../tv/tv_game.js';

/** @typedef {import('../tv/tv_game.js').WallVariant} WallVariant */

const TICK_MS = 500;
/** How long the result of a game stands on the wall. */
const RESULT_MS = 12_000;

/** @param {string} id */
const $ = id => /** @type {HTMLElement} */ (document.getElementById(id));
/** @type {{variants: Record<string, WallVariant>, variant: string | null}} */
const page = JSON.parse($('page').textContent ?? '');
/** @type {Map<string, WallGame>} */
const games = new Map();

/** @param {import('../net/wire.js').Board} shown */
function hang(shown) {
  const variant = page.variants[shown.variant];
  if (!variant || games.has(shown.game)) return;
  const game = new WallGame(shown, variant);
  games.set(shown.game, game);
  $('wall').append(game.element);
}

/** @param {string} id */
function takeDown(id) {
  games.get(id)?.element.remove();
  games.delete(id);
  $('watch-empty').hidden = games.size > 0;
}

/** @param {import('../net/wire.js').TvOutbound} message */
function receive(message) {
  switch (message.t) {
    case 'boards':
      reloadHelped();
      for (const id of [...games.keys()]) takeDown(id);
      message.boards.forEach(hang);
      break;
    case 'board_added': hang(message.board); break;
    case 'board_moved': games.get(message.game)?.moved(message); break;
    case 'board_gone':
      // a game that was deleted leaves nothing to look at
      if (!message.clock) return takeDown(message.game);
      games.get(message.game)?.over(message.result, message.clock);
      setTimeout(() => takeDown(message.game), RESULT_MS);
      break;
  }
  $('watch-empty').hidden = games.size > 0;
}

openWithPage(new Line({
  url: lineAddress('/ws/watch'),
  greeting: () => ({ t: 'hi', proto: PROTOCOL, ...(page.variant ? { variant: page.variant } : {}) }),
  onMessage: receive,
  onState: state => ($('watch-line').textContent = state === 'open' || state === 'connecting' ? '' : t('watch.line_down')),
  reload: reloadOnce,
}));
setInterval(() => {
  for (const game of games.values()) game.tick();
}, TICK_MS);

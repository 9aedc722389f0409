/**
 * The reader's other correspondence games, beside the board of the one on this page. Only a page whose reader is waited for
 * elsewhere loads this; what changes is told by the page's line for notifications.
 *
 * @import { YourGame, YourGames } from '../net/wire.js'
 * @import { TvVariant } from '../tv/tv_game.js'
 */
import { gameTile } from '../your_games/game_tile.js';
import { isUrgent } from '../your_games/your_game.js';
import { byId, element, pageFacts, setText } from '../ui/dom.js';

/** As many as the server has made room for. */
const MOST = 4;

/** @type {{game: string, beside: {games: YourGame[], variants: Record<string, TvVariant>}}} */
const { game: here, beside } = pageFacts();

/** @param {YourGame[]} games the most urgent first */
function show(games) {
  const others = games.filter(({ id, live }) => id !== here && !live);
  const waiting = others.filter(isUrgent);
  byId('games-beside-list').replaceChildren(
    ...others.slice(0, MOST).map(game => gameTile(game, beside.variants[game.variant])),
  );
  setText(byId('games-beside-count'), String(waiting.length));
  byId('games-beside-count').hidden = byId('next-game').hidden = !waiting.length;
  if (waiting.length) element('next-game', HTMLAnchorElement).href = `/${waiting[0].id}`;
}

show(beside.games);
document.addEventListener('your-games', event => show(/** @type {CustomEvent<YourGames>} */ (event).detail.games));

/**
 * The reader's running games on the front page. Knows no socket.
 *
 * @import { YourGames } from '../net/wire.js'
 * @import { TvVariant } from '../tv/tv_game.js'
 */
import { byId } from '../ui/dom.js';
import { t } from '../words.js';
import { gameTile } from '../your_games/game_tile.js';

/** @param {Pick<YourGames, 'games' | 'more'>} message @param {(TvVariant & {id: string})[]} variants */
export function showGamesStrip({ games, more }, variants) {
  byId('your-games').hidden = !games.length;
  const tiles = games.map(game =>
    gameTile(
      game,
      variants.find(({ id }) => id === game.variant),
    ),
  );
  byId('your-games-list').replaceChildren(...tiles);
  byId('all-your-games').textContent = more ? t('lobby.more_games', { n: more }) : t('lobby.all_games');
}

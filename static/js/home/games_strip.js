/**
 * The reader's running games on the front page, and the challenges to them by name. Knows no socket.
 *
 * @import { YourGame, YourGames } from '../net/wire.js'
 * @import { TvVariant } from '../tv/tv_game.js'
 */
import { requestJson } from '../net/requests.js';
import { byId, create, createLink } from '../ui/dom.js';
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

/** Adds a challenge that has just been made. @param {import('../net/wire.js').Challenged} challenge @param {(variant: string) => string} variantName */
export async function listChallenge({ by, game, proposer }, variantName) {
  /** @type {Pick<YourGame, 'variant' | 'chess960'> & {rated: boolean} | null} */
  const found = await requestJson(`/api/games/${game}`).catch(() => null);
  if (!found) return;
  const variant = variantName(found.variant) + (found.chess960 ? ' 960' : '');
  const about = [create('span', '', t('lobby.against', { variant, name: by }))];
  const more = [proposer && t('challenge.proposed_short', { by: proposer }), found.rated && t('challenge.rated')];
  if (proposer || found.rated) about.push(create('small', '', more.filter(Boolean).join(' · ')));
  byId('challenges-list').prepend(create('li', '', createLink('your-turn', `/${game}`, ...about)));
  byId('challenges').hidden = false;
}

/**
 * The reader's running games on the front page, and the challenges to them by name. Knows no socket.
 *
 * @import { YourGame, YourGames } from '../net/wire.js'
 */
import { requestJson } from '../net/requests.js';
import { dayInWords } from '../ui/dates.js';
import { byId, create, createLink } from '../ui/dom.js';
import { t } from '../words.js';

/** "Chess 960 against Anna" @param {Pick<YourGame, 'variant' | 'chess960' | 'by'>} game @param {(variant: string) => string} variantName */
function gameWords({ variant, chess960, by }, variantName) {
  const name = variantName(variant) + (chess960 ? ' 960' : '');
  return by ? t('lobby.against', { variant: name, name: by }) : t('lobby.waits_for_friend', { variant: name });
}

/** Whose turn it is, or who is ready to resume. @param {YourGame} game */
export function stateWords({ live, turn, adjourned, away, claimable }) {
  if (adjourned) return t(adjourned === 'nobody' ? 'lobby.adjourned' : `lobby.adjourned_${adjourned}`);
  if (claimable) return t('lobby.claimable');
  const whose = t(live ? 'lobby.live_now' : turn ? 'lobby.your_turn' : 'lobby.their_turn');
  return away ? `${whose} · ${t('vacation.away_until', { day: dayInWords(away - 1) })}` : whose;
}

/** Whether the game waits for this player. @param {YourGame} game */
export const isUrgent = ({ live, turn, adjourned, claimable }) =>
  Boolean(live || turn || claimable || adjourned === 'opponent');

/** @param {YourGames} message @param {(variant: string) => string} variantName */
export function showGamesStrip({ games, more }, variantName) {
  byId('your-games').hidden = !games.length;
  const rows = games.map(game =>
    gameRow(game.id, gameWords(game, variantName), game.by ? stateWords(game) : '', isUrgent(game)),
  );
  byId('your-games-list').replaceChildren(...rows);
  byId('all-your-games').textContent = more ? t('lobby.more_games', { n: more }) : t('lobby.all_games');
}

/** Adds a challenge that has just been made. @param {string} by a name @param {string} game id @param {(variant: string) => string} variantName */
export async function listChallenge(by, game, variantName) {
  const found = await requestJson(`/api/games/${game}`).catch(() => null);
  if (!found) return;
  const words = gameWords({ ...found, by }, variantName);
  byId('challenges-list').prepend(gameRow(game, words, found.rated ? t('challenge.rated') : '', true));
  byId('challenges').hidden = false;
}

/** @param {string} game id @param {string} words @param {string} state '' if there is nothing to say @param {boolean} urgent */
function gameRow(game, words, state, urgent) {
  const about = [create('span', '', words), ...(state ? [create('small', '', state)] : [])];
  return create('li', '', createLink(urgent ? 'your-turn' : '', `/${game}`, ...about));
}

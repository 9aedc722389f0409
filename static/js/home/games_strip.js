/**
 * What a page learns of its reader's games, and the strip of them on the front page. Knows no socket.
 *
 * @import { YourGame, YourGames } from '../net/wire.js'
 */
import { byId, textElement } from '../ui/dom.js';
import { t } from '../words.js';

/** "Chess 960 against Anna" @param {YourGame} game @param {(variant: string) => string} nameOf */
function gameWords({ variant, chess960, by }, nameOf) {
  const name = nameOf(variant) + (chess960 ? ' 960' : '');
  return by ? t('lobby.against', { variant: name, name: by }) : t('lobby.waits_for_friend', { variant: name });
}

/** How it stands between the two. @param {YourGame} game */
export function stateWords({ live, turn, adjourned }) {
  if (adjourned) return t(adjourned === 'nobody' ? 'lobby.adjourned' : `lobby.adjourned_${adjourned}`);
  return t(live ? 'lobby.live_now' : turn ? 'lobby.your_turn' : 'lobby.their_turn');
}

/** Is it this player for whom it waits? @param {YourGame} game */
export const isUrgent = ({ live, turn, adjourned }) => Boolean(live || turn || adjourned === 'opponent');

/** The front page's strip. @param {YourGames} message @param {(variant: string) => string} nameOf */
export function showStrip({ games, more }, nameOf) {
  byId('your-games').hidden = !games.length;
  byId('your-games-list').replaceChildren(...games.map(game => row(game, nameOf)));
  byId('all-your-games').textContent = more ? t('lobby.more_games', { n: more }) : t('lobby.all_games');
}

/** @param {YourGame} game @param {(variant: string) => string} nameOf */
function row(game, nameOf) {
  const way = /** @type {HTMLAnchorElement} */ (textElement('a', '', isUrgent(game) ? 'your-turn' : ''));
  way.href = `/${game.id}`;
  way.append(textElement('span', gameWords(game, nameOf)));
  if (game.by) way.append(textElement('small', stateWords(game)));
  const made = document.createElement('li');
  made.append(way);
  return made;
}

/** The list of those who challenge the reader by name, to which an open front page adds whoever comes. */
import { byId, textElement } from '../ui/dom.js';
import { t } from '../words.js';

/** @param {string} by a name @param {string} game id @param {(variant: string) => string} nameOf */
export async function listChallenge(by, game, nameOf) {
  const answer = await fetch(`/api/games/${game}`).catch(() => null);
  if (!answer?.ok) return;
  const { variant, chess960, rated } = await answer.json();
  const way = /** @type {HTMLAnchorElement} */ (textElement('a', '', 'your-turn'));
  way.href = `/${game}`;
  way.append(
    textElement('span', t('lobby.against', { variant: nameOf(variant) + (chess960 ? ' 960' : ''), name: by })),
  );
  if (rated) way.append(textElement('small', t('challenge.rated')));
  const row = document.createElement('li');
  row.append(way);
  byId('challenges-list').prepend(row);
  byId('challenges').hidden = false;
}

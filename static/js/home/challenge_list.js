/**
 * The challenges to the reader by name, on the front page: what game each would be, and to accept or decline it there.
 * Knows no socket.
 *
 * @import { ListedChallenge } from '../notifications/challenges.js'
 */
import { requestJson } from '../net/requests.js';
import { storeHasGames } from '../notifications/stored_games.js';
import { attempt } from '../ui/attempt.js';
import { byId, create, createButton, createLink } from '../ui/dom.js';
import { t } from '../words.js';

/** Makes the buttons of the challenges work that came with the page, and of those that come later. */
export function answerChallenges() {
  byId('challenges-list').addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const row = /** @type {HTMLElement | null} */ (button?.closest('[data-game]') ?? null);
    if (button && row) void answer(row, button.classList.contains('accept'));
  });
}

/** Shows those that wait for the reader now. @param {ListedChallenge[]} challenges */
export function listChallenges(challenges) {
  byId('challenges-list').replaceChildren(...challenges.map(row));
  byId('challenges').hidden = !challenges.length;
}

/** @param {ListedChallenge} challenge */
function row({ game, by, words }) {
  const link = createLink('', `/${game}`, create('b', '', by), ' ', create('small', '', words));
  // What a press on a button does is for the list.
  const accept = createButton('button primary accept', () => {}, t('buttons.accept'));
  const decline = createButton('button decline', () => {}, t('buttons.decline'));
  const made = create('li', 'challenge', link, accept, decline);
  made.dataset.game = game;
  return made;
}

/** @param {HTMLElement} row @param {boolean} accepts */
async function answer(row, accepts) {
  const { game } = row.dataset;
  const buttons = row.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  const done = await attempt(byId('challenges-problem'), () =>
    requestJson(`/api/games/${game}/${accepts ? 'join' : 'refuse'}`, 'POST', accepts ? { secret: '' } : undefined),
  );
  for (const button of buttons) button.disabled = false;
  if (!done) return;
  if (accepts) {
    storeHasGames(true);
    return location.assign(`/${game}`);
  }
  row.remove();
  byId('challenges').hidden = !byId('challenges-list').children.length;
}

/**
 * The list of the games that this browser keeps: each leads to its board, says why it is still here, and can be removed.
 *
 * @import { OfflineGame } from './game.js'
 */
import { personName, t } from '../words.js';
import { byId, create, createButton, createLink } from '../ui/dom.js';
import { isWorthKeeping } from './bringing.js';
import { CHANGED, KeptGames } from './kept_games.js';

const kept = new KeptGames();

/** Lists them, and again whenever that changes. @param {HTMLFormElement} form whose variants have the names */
export function followKeptGames(form) {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => data === CHANGED && void listKeptGames(form));
  void listKeptGames(form);
}

/** @param {HTMLFormElement} form whose variants have the names */
async function listKeptGames(form) {
  const games = await kept.all().catch(() => []);
  const list = byId('kept-games-list');
  list.replaceChildren(
    ...games.filter(game => !game.ended || isWorthKeeping(game)).map(game => rowOf(game, form, list)),
  );
  byId('kept-games').hidden = !list.children.length;
}

/** @param {OfflineGame} game @param {HTMLFormElement} form @param {HTMLElement} list with the words */
function rowOf(game, form, list) {
  const option = form.querySelector(`option[value="${game.address}"]`);
  const name = [option?.textContent ?? game.variant, personName(`Computer (level ${game.level})`)].join(' · ');
  const { waits = '', over = '', remove = '', refused = '' } = list.dataset;
  const state = game.refused ? refused.replace('{reason}', game.refused) : waits;
  const said = create('p', 'quiet', [game.ended && over, state].filter(Boolean).join(' · '));
  const row = create('li', '');
  const button = createButton('button', () => void forget(), remove);
  button.setAttribute('aria-label', `${remove}: ${name}`);
  /** It is gone for good, so the first press only asks. */
  async function forget() {
    const asks = t('round.really');
    const isAsked = button.textContent === asks;
    button.textContent = asks;
    if (!isAsked) return;
    await kept.remove(game.id);
    await listKeptGames(form);
  }
  row.append(createLink('', `/computer/offline/${game.address}?game=${game.id}`, name), said, button);
  return row;
}

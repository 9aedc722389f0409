/**
 * The page on which a game against the computer is chosen: remembers in this browser what was chosen last, and has kept what
 * such a game needs offline; while offline the page itself is one that was kept, and does what the server does otherwise.
 *
 * @import { OfflineGame } from '../offline/game.js'
 */
import { keepComputer } from '../offline/keep_computer.js';
import { siteStorage } from '../storage.js';
import { byId, create, createButton, createLink, formById } from '../ui/dom.js';
import { personName, t } from '../words.js';
import { isWorthKeeping } from '../offline/bringing.js';
import { CHANGED, KeptGames } from '../offline/kept_games.js';

// The list of the games that this browser keeps: each leads to its board, says why it is still here, and can be removed.

const kept = new KeptGames();

/** Lists them, and again whenever that changes. @param {HTMLFormElement} form whose variants have the names */
function followKeptGames(form) {
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

const KEY = 'computer-game';
/** The browser cannot tell when a server is back, and reports a connection before it can be used. */
const TRY_EVERY_MS = 5_000;
const REMEMBERED = ['level', 'color', 'clock'];

const form = formById('computer-form');
const asked = new URLSearchParams(location.search);

/** Whether a group of choices has that one. @param {string} name @param {string} value */
const isKnown = (name, value) =>
  [...form.querySelectorAll('input')].some(one => one.name === name && one.value === value);

/** What the address says takes precedence over what was chosen last. */
function recall() {
  const last = siteStorage.json(KEY) ?? {};
  for (const name of REMEMBERED) {
    const field = form.elements.namedItem(name);
    const value = asked.get(name) ?? last[name];
    if (field instanceof RadioNodeList && isKnown(name, value)) field.value = value;
  }
}

/** The page was kept for any address. */
function fillIn() {
  const variant = form.elements.namedItem('variant');
  const fen = asked.get('fen');
  if (!(variant instanceof HTMLSelectElement)) return;
  if ([...variant.options].some(({ value }) => value === asked.get('variant')))
    variant.value = asked.get('variant') ?? '';
  if (!fen) return;
  const start = Object.assign(create('input', ''), { type: 'hidden', name: 'fen', value: fen });
  form.append(start);
  variant.addEventListener('change', () => start.remove());
}

/** Beside the form, where the window has room: what the game begins with, seen from the chosen side. */
function showBoard() {
  const picture = document.getElementById('computer-board');
  const variant = form.elements.namedItem('variant');
  if (!(picture instanceof HTMLImageElement)) return;
  const chosen = variant instanceof HTMLSelectElement ? variant.selectedOptions[0]?.dataset.board : null;
  const address = (chosen ?? picture.getAttribute('src') ?? '').replace('&flip=1', '');
  const turned = new FormData(form).get('color') === 'black' ? '&flip=1' : '';
  if (picture.getAttribute('src') !== address + turned) picture.src = address + turned;
}

/** Somebody goes elsewhere at this moment. */
let isLeaving = false;

/** Once the server answers, goes to its own page with all that is chosen here, and what is kept is sent. */
async function comeBack() {
  if (!navigator.onLine) return;
  const answer = await fetch('/health').catch(() => null);
  const isFree = !isLeaving;
  isLeaving = false;
  if (!answer?.ok || !isFree) return;
  const chosen = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  location.replace(`${location.pathname}?${new URLSearchParams(chosen)}`);
}

recall();
showBoard();
form.addEventListener('change', showBoard);
if (form.dataset.offline !== undefined) {
  fillIn();
  addEventListener('beforeunload', () => {
    isLeaving = true;
  });
  addEventListener('online', comeBack);
  setInterval(comeBack, TRY_EVERY_MS);
}
form.addEventListener('submit', () => {
  const chosen = new FormData(form);
  const kept = Object.fromEntries(REMEMBERED.map(name => [name, chosen.get(name)]).filter(([, value]) => value));
  siteStorage.set(KEY, JSON.stringify({ ...siteStorage.json(KEY), ...kept }));
});
followKeptGames(form);
keepComputer();

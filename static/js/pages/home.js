/**
 * The front page: the shelf of variants with a board to try the chosen one, one press to an opponent, and one to a link that
 * is already copied.
 */
import { takeSeek } from '../game/seek_again.js';
import { clockFrom } from '../game/terms.js';
import { answerChallenges } from '../home/challenge_list.js';
import { FirstSeek } from '../home/first_seek.js';
import { SeekAlerts } from '../home/seek_alerts.js';
import { showGamesStrip } from '../home/games_strip.js';
import { startGame } from '../home/invitation.js';
import { showLessonProgress } from '../home/lesson_progress.js';
import { Lobby } from '../home/lobby.js';
import { nameButton, showFields, withMoreTerms } from '../home/more_terms.js';
import { QuickGrid } from '../home/quick_grid.js';
import { listenToSeekForm, ownClock, ownSeek, quickSeek } from '../home/seek_form.js';
import { choose, chooseFromAddress, recall, remember, termsOf, fieldOf } from '../home/terms_form.js';
import { revealUnfolded, showOwnTerms } from '../home/own_terms.js';
import { furnishShelf } from '../home/shelf.js';
import { SiteNow } from '../home/site_now.js';
import { TryBoard } from '../home/try_board.js';
import { requestJson } from '../net/requests.js';
import { askAhead } from '../rules/free_play.js';
import { Progress } from '../rules/progress.js';
import { followSiteNotice } from '../notifications/site_notice.js';
import { attempt } from '../ui/attempt.js';
import { buttonById, byId, element, formById, pageFacts, setText } from '../ui/dom.js';
import { t } from '../words.js';
import { keepComputer } from '../offline/keep_computer.js';

/** @typedef {import('../home/try_board.js').TriedVariant & {tagline: string, chess960: boolean}} ListedVariant */

const form = formById('new-game');
const shuffle = element('chess960', HTMLInputElement);
/** The same switch under the shelf, where a phone has its board too far below. */
const shuffleNear = /** @type {HTMLInputElement} */ (byId('shuffle-near').querySelector('input'));
const startFen = element('start-fen', HTMLInputElement);
const withMove = element('with-move', HTMLInputElement);
const button = buttonById('create');

/**
 * @typedef {{tasks: import('../home/lesson_progress.js').Tasks, done: Record<string, string[]>}} Lessons
 * @type {{variants: ListedVariant[], me: {id: string} | null} & Lessons & Pick<import('../net/wire.js').YourGames, 'games' | 'more'>}
 */
const page = pageFacts();
const progress = new Progress(page.done);

const variant = () => page.variants.find(({ id }) => id === fieldOf(form, 'variant')) ?? page.variants[0];
const isShuffled = () => variant().chess960 && shuffle.checked;
/** @param {string} id */
const variantName = id => page.variants.find(variant => variant.id === id)?.name ?? id;
const filter = element('seek-filter', HTMLSelectElement);
const board = new TryBoard(
  byId('boards'),
  ({ name }) => `${t('board.title')}: ${name}`,
  () => showWords(),
  said => showWords(said),
);
const lobby = new Lobby(
  variantName,
  page.me?.id ?? null,
  (seeks, waits) => {
    countWaiting();
    siteNow.soon();
    firstSeek?.show(seeks, { id: variant().id, isMember, waits });
  },
  games => showGamesStrip(games, page.variants),
);
// A page about one player has neither.
const firstSeek = document.getElementById('first-seek') ? new FirstSeek(variantName, seek => lobby.take(seek)) : null;
const isMember = document.querySelector('#seek-form [name="rated"]') !== null;
const quick = new QuickGrid(byId('quick'), clock => lobby.seek({ ...quickSeek(chosen()), clock: clockFrom(clock) }));
const siteNow = new SiteNow(page.variants);
const seekAlerts = new SeekAlerts(variantName, whoAmI);

/** The move that the game begins with, if that is wanted. @returns {string | null} UCI */
const firstMove = () => (withMove.checked && !byId('begin-with').hidden ? board.moves[0] : null);

/** @param {string} [said] words about the piece under the pointer */
function showWords(said = '') {
  const { moves, result } = board;
  const canBegin = moves.length === 1 && !isShuffled() && !startFen.value;
  if (!canBegin) withMove.checked = false;
  byId('begin-with').hidden = !canBegin;
  byId('with-move-words').textContent = canBegin ? t('home.first_move', { move: moves[0] }) : '';
  byId('chosen-words').hidden = canBegin && !said;
  const still = isShuffled() && !startFen.value ? t('home.drawn') : variant().tagline;
  byId('chosen-words').textContent =
    said || (result ? t('home.over', { result }) : moves.length ? t('home.try_it') : still);
  buttonById('undo').disabled = !moves.length;
}

function showBoard() {
  // What is wrong with a position is said when the game is made.
  return board.show(variant(), isShuffled(), startFen.value.trim()).catch(() => {});
}

function showVariant() {
  const { id, name, chess960 } = variant();
  const address = `${id}${isShuffled() ? '960' : ''}`;
  void showBoard();
  byId('chosen-name').textContent = isShuffled() ? `${name} 960` : name;
  byId('shuffle').hidden = byId('shuffle-near').hidden = !chess960;
  shuffleNear.checked = isShuffled();
  for (const tile of document.querySelectorAll('.shelf-one')) nameTile(tile);
  element('chosen-rules', HTMLAnchorElement).href = `/rules/${address}`;
  for (const way of document.querySelectorAll('a.to-computer'))
    if (way instanceof HTMLAnchorElement) way.href = `/computer?variant=${address}`;
  showLessonProgress(address, id, page.tasks, progress);
  element('chosen-analysis', HTMLAnchorElement).href = `/analysis/${id}`;
  byId('which-one').textContent = t('lobby.which_one', { variant: byId('chosen-name').textContent ?? '' });
  showEmptyLobby();
  showWords();
  countWaiting();
  firstSeek?.show(lobby.others, { id, isMember, waits: lobby.waits });
}

/** @param {Element} tile of the shelf: it tells if its 960 form is chosen */
function nameTile(tile) {
  const field = /** @type {HTMLInputElement} */ (tile.querySelector('input'));
  const words = /** @type {HTMLElement} */ (tile.querySelector('span'));
  setText(words, field.checked && isShuffled() ? `${variantName(field.value)} 960` : variantName(field.value));
}

function countWaiting() {
  quick.count(lobby.others, quickSeek(chosen()));
}

/** Suggests what to do when nobody is waiting: make a seek, or set an alert. */
function showEmptyLobby() {
  const { id, name } = variant();
  const looked = filter.value ? variantName(filter.value) : '';
  byId('seeks-empty-text').textContent = looked ? t('lobby.empty_filtered', { variant: looked }) : t('lobby.empty');
  byId('notify-me').textContent = t('lobby.notify_me', { variant: looked || name });
  byId('notify-me').dataset.variant = filter.value || id;
}

/** The id by which the server knows this visitor, even if it has just given it to them. */
async function whoAmI() {
  const me = await requestJson('/api/me').catch(() => null);
  return String(me?.id ?? '');
}

/** Seeks what is chosen below the times. */
function findOwn() {
  const sought = ownSeek(chosen());
  byId('problem').textContent = sought ? '' : t('lobby.no_variants');
  const clock = sought && ownClock();
  if (clock) lobby.seek({ ...sought, clock });
}

const chosen = () => ({ id: variant().id, chess960: isShuffled() });

/** @param {Event} event */
function changed({ target }) {
  const field = /** @type {HTMLInputElement} */ (target);
  if (field.form !== form) return;
  if (field.name === 'variant') {
    // Its 960 form was chosen for another variant, and comes back only where somebody asks for it.
    shuffle.checked = false;
    showVariant();
  }
  if (field === startFen) void showBoard();
  if (field.name === 'color' && field.value !== 'white') withMove.checked = false;
  showFields(fieldOf(form, 'clock'));
  showOwnTerms(form);
  nameButton();
  remember(form);
}

/** @param {SubmitEvent} event */
async function create(event) {
  event.preventDefault();
  button.disabled = true;
  const terms = withMoreTerms({ ...termsOf(form, firstMove()), chess960: isShuffled() });
  const made = await attempt(byId('friend-problem'), () => startGame(terms, fieldOf(form, 'with') === 'link'));
  if (!made) button.disabled = false;
}

// What was said once is not said again when the page is loaded anew.
if (new URLSearchParams(location.search).has('registered')) history.replaceState(null, '', `/${location.hash}`);
recall(form);
if (location.hash) chooseFromAddress(form, location.hash.slice(1));
document.addEventListener('change', changed);
form.addEventListener('submit', create);
// Browsers point at an invalid field, but do not unfold what hides it.
form.addEventListener(
  'invalid',
  ({ target }) => {
    for (let at = /** @type {Element | null} */ (target); at; at = at.parentElement)
      if (at instanceof HTMLDetailsElement) at.open = true;
  },
  { capture: true },
);
for (const one of [shuffle, shuffleNear])
  one.addEventListener('change', () => {
    shuffle.checked = one.checked;
    showVariant();
    remember(form);
  });
withMove.addEventListener('change', () => {
  if (withMove.checked) choose(form, 'color', 'white');
  showOwnTerms(form);
});
element('to', HTMLInputElement).addEventListener('input', nameButton);
byId('undo').addEventListener('click', () => board.back());
byId('find').addEventListener('click', findOwn);
filter.addEventListener('change', () => {
  lobby.filter(filter.value);
  showEmptyLobby();
});
byId('notify-me').addEventListener('click', () =>
  seekAlerts.add([byId('notify-me').dataset.variant ?? ''], [], byId('notify-me-said')),
);
window.addEventListener('pageshow', () => (button.disabled = false));
showFields(fieldOf(form, 'clock'));
showOwnTerms(form);
revealUnfolded(element('own-terms', HTMLDetailsElement));
nameButton();
showVariant();
showGamesStrip(page, page.variants);
furnishShelf(id => {
  const near = page.variants.find(one => one.id === id);
  if (near) askAhead(near);
});
listenToSeekForm(countWaiting);
lobby.start();
const again = takeSeek();
if (again) void lobby.seek(again);
answerChallenges();
followSiteNotice();
void siteNow.look();
// An installed app begins here.
if (matchMedia('(display-mode: standalone)').matches) keepComputer();

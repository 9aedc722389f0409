/**
 * The front page: the shelf of variants with a board to try the chosen one, one press to an opponent, and one to a link that
 * is already copied.
 *
 * @import { SeekView as Seek, YourGames } from '../net/wire.js'
 * @import { TvVariant } from '../tv/tv_game.js'
 * @typedef {{variants: string[], chess960: boolean, rated: boolean}} Sought
 * @typedef {Record<string, [string, string][]>} Tasks   id and name of each task, by lesson
 */
import { takeSeek } from '../game/seek_again.js';
import { clockFrom } from '../game/terms.js';
import { answerChallenges } from '../home/challenge_list.js';
import { SeekAlerts } from '../home/seek_alerts.js';
import { startGame } from '../home/invitation.js';
import { Lobby } from '../home/lobby.js';
import { nameButton, showFields, withMoreTerms } from '../home/more_terms.js';
import { chooseRated, listenToSeekForm, ownClock, ownSeek, quickSeek } from '../home/seek_form.js';
import { choose, chooseFromAddress, fieldOf, recall, remember, termsOf } from '../home/terms_form.js';
import { revealUnfolded, showOwnTerms } from '../home/more_terms.js';
import { SiteNow } from '../home/site_now.js';
import { TryBoard } from '../home/try_board.js';
import { requestJson } from '../net/requests.js';
import { askAhead } from '../rules/free_play.js';
import { Progress } from '../rules/progress.js';
import { followSiteNotice } from '../notifications/site_notice.js';
import { attempt } from '../ui/attempt.js';
import { buttonById, byId, createLink, element, formById, pageFacts, revealIn, setText } from '../ui/dom.js';
import { localTimes } from '../ui/times.js';
import { shuffledName, t } from '../words.js';
import { keepComputer } from '../offline/keep_computer.js';
import { clockWords, variantWords } from '../home/seek_words.js';
import { gameTile } from '../your_games/game_tile.js';

// The reader's running games on the front page. Knows no socket.

/** @param {Pick<YourGames, 'games' | 'more'>} message @param {(TvVariant & {id: string})[]} variants */
function showGamesStrip({ games, more }, variants) {
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

// What the reader has done of the lesson of the chosen variant, and the way to what comes next. Knows no board.

/**
 * @param {string} address of the rules page: "grand", "grand960" @param {string} id of the variant, whose lesson a form
 *   without one has @param {Tasks} lessons @param {Progress} progress
 */
function showLessonProgress(address, id, lessons, progress) {
  const lesson = address in lessons ? address : id;
  const tasks = lessons[lesson] ?? [];
  const open = tasks.filter(([task]) => !progress.has(lesson, task));
  const done = tasks.length - open.length;
  const counted = done ? ` ${t('home.tasks_count', { n: done, all: tasks.length })}` : '';
  byId('chosen-rules').textContent = t(tasks.length ? 'home.lesson' : 'home.rules');
  byId('chosen-tasks').textContent = t('lessons.tasks') + counted;
  byId('chosen-tasks').hidden = !tasks.length;
  element('chosen-tasks', HTMLAnchorElement).href = `/rules/${address}#tasks`;
  byId('lesson-progress').replaceChildren(...words(address, tasks.length, done, open[0]));
}

/** @param {string} address @param {number} all @param {number} done @param {[string, string] | undefined} next @returns {(Node | string)[]} */
function words(address, all, done, next) {
  if (!all) return [];
  if (!next) return [t('lessons.all_done')];
  if (!done) return [t('home.to_learn', { n: all })];
  const [task, name] = next;
  return [t('home.tasks_done', { n: done, all }), ' ', createLink('', `/rules/${address}#task-${task}`, name)];
}

// Who waits, in one line for screens on which the list lies below the fold: how many, and the one whose game can be taken
// with one press. Knows no network; the caller says what the press does.

class FirstSeek {
  #variantName;
  /** @type {Seek | undefined} the one that is offered */
  #offered;

  /** @param {(id: string) => string} variantName @param {(seek: Seek) => void} take */
  constructor(variantName, take) {
    this.#variantName = variantName;
    buttonById('first-seek-play').addEventListener('click', () => this.#offered && take(this.#offered));
  }

  /** @param {Seek[]} seeks of others @param {{id: string, isMember: boolean, waits: boolean}} reader the variant that they have
   * chosen, whether they may play rated games, and whether they wait themselves */
  show(seeks, { id, isMember, waits }) {
    // Whether the reader has the rating that some ask for, only the server knows.
    const open = seeks.filter(({ rated, lowest, highest }) => (isMember || !rated) && !lowest && !highest);
    this.#offered = open.find(({ variants }) => variants?.includes(id)) ?? open[0];
    const seek = this.#offered;
    const nobody = t(waits ? 'lobby.none_else_waits' : 'lobby.none_wait');
    setText(byId('first-seek-count'), seeks.length ? t('lobby.n_wait', { n: seeks.length }) : nobody);
    // Guests are offered casual games only.
    const terms = seek && isMember ? [t(seek.rated ? 'terms.rated' : 'terms.casual')] : [];
    const game = seek ? [variantWords(seek, this.#variantName), clockWords(seek.clock), ...terms] : [];
    setText(byId('first-seek-words'), [...game, ...(seek ? [seek.name] : [])].join(' · '));
    const play = buttonById('first-seek-play');
    play.hidden = !seek;
    play.setAttribute('aria-label', seek ? t('lobby.play_seek', { game: game.join(', '), name: seek.name }) : '');
  }
}

// The grid of times for quick pairing: one press seeks an opponent, and each time says how many wait for just that.

class QuickGrid {
  /** @type {HTMLElement[]} */
  #tiles;

  /** @param {HTMLElement} grid @param {(clock: string) => void} press */
  constructor(grid, press) {
    this.#tiles = [.../** @type {NodeListOf<HTMLElement>} */ (grid.querySelectorAll('[data-clock]'))];
    for (const tile of this.#tiles) tile.addEventListener('click', () => press(tile.dataset.clock ?? ''));
  }

  /** @param {Seek[]} seeks of others @param {Sought} sought */
  count(seeks, sought) {
    for (const tile of this.#tiles) {
      const n = seeks.filter(seek => isAnswer(seek, tile.dataset.clock ?? '', sought)).length;
      const words = n ? t('lobby.n_wait', { n }) : (tile.dataset.speed ?? '');
      const place = /** @type {HTMLElement} */ (tile.querySelector('small'));
      if (place.textContent !== words) place.textContent = words;
      place.classList.toggle('waits', n > 0);
    }
  }
}

/** Whether that seek would be answered by this one. @param {Seek} seek @param {string} wanted the clock @param {Sought} sought */
function isAnswer({ clock, variants, chess960, rated, lowest, highest }, wanted, sought) {
  // Only the server knows whether the reader is whom they look for.
  if (lowest || highest) return false;
  const common = !variants || variants.some(one => sought.variants.includes(one));
  return clock === wanted && common && !!chess960 === sought.chess960 && !!rated === sought.rated;
}

// The shelf of variants: tells which one somebody is about to choose. On a phone, where it is wider than the screen: brings the
// chosen one into sight, and unfolds all of them if somebody asks for that.

/** @param {(variant: string) => void} onNear its id: the pointer is over its tile, or has gone down there */
function furnishShelf(onNear) {
  for (const sign of ['pointerover', 'pointerdown'])
    byId('shelf').addEventListener(sign, ({ target }) => {
      const field = target instanceof Element && target.closest('.shelf-one')?.querySelector('input');
      if (field) onNear(field.value);
    });
  const all = buttonById('shelf-all');
  all.addEventListener('click', () => {
    all.ariaExpanded = String(all.ariaExpanded !== 'true');
    reveal();
  });
  reveal();
}

function reveal() {
  const shelf = byId('shelf');
  const chosen = shelf.querySelector('label:has(:checked)');
  if (chosen instanceof HTMLElement) revealIn(shelf, chosen);
}

/** @typedef {import('../home/try_board.js').TriedVariant & {tagline: string, chess960: boolean}} ListedVariant */

const form = formById('new-game');
const shuffle = element('chess960', HTMLInputElement);
/** The same switch under the shelf, where a phone has its board too far below. */
const shuffleNear = /** @type {HTMLInputElement} */ (byId('shuffle-near').querySelector('input'));
const startFen = element('start-fen', HTMLInputElement);
const withMove = element('with-move', HTMLInputElement);
const button = buttonById('create');

/**
 * @typedef {{tasks: Tasks, done: Record<string, string[]>}} Lessons
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
  const { id, name, chess960, tagline } = variant();
  const address = `${id}${isShuffled() ? '960' : ''}`;
  void showBoard();
  byId('chosen-name').textContent = byId('chosen-near-name').textContent = isShuffled() ? shuffledName(name) : name;
  byId('chosen-near-words').textContent = isShuffled() ? t('home.drawn') : tagline;
  byId('shuffle').hidden = byId('shuffle-near').hidden = !chess960;
  shuffleNear.checked = isShuffled();
  for (const tile of document.querySelectorAll('.shelf-one')) nameTile(tile);
  reveal();
  for (const way of ['chosen-rules', 'chosen-near']) element(way, HTMLAnchorElement).href = `/rules/${address}`;
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
  setText(words, field.checked && isShuffled() ? shuffledName(variantName(field.value)) : variantName(field.value));
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

/** Seeks the game that was left, and shows everywhere that it is this one. @param {ReturnType<typeof quickSeek>} sought */
function seekAgain(sought) {
  choose(form, 'variant', sought.variants[0]);
  shuffle.checked = sought.chess960;
  chooseRated(sought.rated);
  showVariant();
  void lobby.seek(sought);
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
if (again) seekAgain(again);
answerChallenges();
followSiteNotice();
localTimes();
void siteNow.look();
// An installed app begins here.
if (matchMedia('(display-mode: standalone)').matches) keepComputer();

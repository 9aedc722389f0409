/**
 * The front page: the board of the chosen variant, the terms of the game, one click to a link that is already copied, and
 * one to an opponent.
 */
import { SeekAlerts } from '../home/seek_alerts.js';
import { FirstMove } from '../home/first_move.js';
import { startGame } from '../home/invitation.js';
import { Lobby } from '../home/lobby.js';
import { challengeByName, showFields, withMoreTerms } from '../home/more_terms.js';
import { listenToSeekForm, readSeekForm } from '../home/seek_form.js';
import { choose, chooseFromAddress, clockFromValue, recall, remember, termsOf, fieldOf } from '../home/terms_form.js';
import { requestJson } from '../net/requests.js';
import { followSiteNotice } from '../notifications/site_notice.js';
import { attempt } from '../ui/attempt.js';
import { buttonById, byId, element, pageFacts } from '../ui/dom.js';
import { t } from '../words.js';

/** @typedef {import('../home/first_move.js').VariantAtStart & {tagline: string, chess960: boolean}} ListedVariant */

const form = element('new-game', HTMLFormElement);
const shuffle = element('chess960', HTMLInputElement);
const button = buttonById('create');

/** @type {{variants: ListedVariant[], me: {id: string} | null}} */
const page = pageFacts();
/** A board for each variant looked at; the hidden ones keep the moves made on them. @type {Map<string, FirstMove>} */
const boards = new Map();

const variant = () => page.variants.find(({ id }) => id === fieldOf(form, 'variant')) ?? page.variants[0];
const isShuffled = () => variant().chess960 && shuffle.checked;
/** @param {string} id */
const variantName = id => page.variants.find(variant => variant.id === id)?.name ?? id;
const filter = element('seek-filter', HTMLSelectElement);
const lobby = new Lobby(variantName, page.me?.id ?? null);
const seekAlerts = new SeekAlerts(variantName, whoAmI);

function board() {
  const { id } = variant();
  const found = boards.get(id) ?? new FirstMove(variant(), moveMade, text => showWords(text));
  if (!boards.has(id)) {
    boards.set(id, found);
    byId('boards').append(found.element);
  }
  return found;
}

function moveMade() {
  if (board().move) choose(form, 'color', 'white');
  showWords();
}

/** @param {string} [hint] words about the piece under the pointer */
function showWords(hint = '') {
  const { move } = board();
  const ready = move && t('home.first_move', { move });
  const drawn = isShuffled() && t('home.drawn');
  byId('chosen-words').textContent = hint || ready || drawn || variant().tagline;
  byId('undo').hidden = !move;
}

function showVariant() {
  const { id, name, chess960 } = variant();
  const shown = board();
  for (const each of boards.values()) each.element.hidden = each !== shown;
  shown.freeze(isShuffled());
  byId('chosen-name').textContent = isShuffled() ? `${name} 960` : name;
  byId('shuffle').hidden = !chess960;
  element('chosen-rules', HTMLAnchorElement).href = `/rules/${id}${isShuffled() ? '960' : ''}`;
  byId('which-one').textContent = t('lobby.which_one', { variant: byId('chosen-name').textContent ?? '' });
  showEmptyLobby();
  showWords();
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

/** @param {string} clock "600+5", "days", "none" or "custom" @param {ReturnType<typeof readSeekForm>} sought */
function find(clock, sought) {
  const terms = clockFromValue(clock);
  const problem = !sought ? 'lobby.no_variants' : terms.kind === 'unlimited' ? 'lobby.no_clock' : null;
  byId('problem').textContent = problem && t(problem);
  if (!problem) lobby.seek({ ...sought, clock: terms, color: fieldOf(form, 'color') });
}

const chosen = () => ({ id: variant().id, chess960: isShuffled() });

/** @param {Event} event */
function changed({ target }) {
  const { name } = /** @type {HTMLInputElement} */ (target);
  if (name === 'variant') showVariant();
  if (name === 'color' && fieldOf(form, 'color') !== 'white') {
    board().takeBack();
    showWords();
  }
  showFields(fieldOf(form, 'clock'));
  remember(form);
}

/** @param {SubmitEvent} event */
async function create(event) {
  event.preventDefault();
  button.disabled = true;
  const terms = withMoreTerms({ ...termsOf(form, board().move), chess960: isShuffled() });
  const made = await attempt(byId('problem'), () => startGame(terms, fieldOf(form, 'with') === 'link'));
  if (!made) button.disabled = false;
}

recall(form);
if (location.hash) chooseFromAddress(form, location.hash.slice(1));
form.addEventListener('change', changed);
form.addEventListener('submit', create);
// Browsers point at an invalid field, but do not unfold what hides it.
form.addEventListener(
  'invalid',
  ({ target }) => {
    const folded = /** @type {Element} */ (target).closest('details');
    if (folded) folded.open = true;
  },
  { capture: true },
);
shuffle.addEventListener('change', () => {
  showVariant();
  remember(form);
});
byId('undo').addEventListener('click', () => {
  board().takeBack();
  showWords();
});
byId('find').addEventListener('click', () => {
  // For a seek, only the fields of the clock matter.
  const fields = [...byId('custom-clock').querySelectorAll('input')];
  if (fields.every(field => field.reportValidity())) find(fieldOf(form, 'clock'), readSeekForm(chosen()));
});
for (const quick of /** @type {NodeListOf<HTMLElement>} */ (byId('seek-form').querySelectorAll('[data-clock]')))
  quick.addEventListener('click', () => find(quick.dataset.clock ?? '', readSeekForm(chosen())));
filter.addEventListener('change', () => {
  lobby.filter(filter.value);
  showEmptyLobby();
});
byId('notify-me').addEventListener('click', () => {
  element('seek-alerts', HTMLDetailsElement).open = true;
  seekAlerts.add([byId('notify-me').dataset.variant ?? ''], []);
});
window.addEventListener('pageshow', () => (button.disabled = false));
const named = new URLSearchParams(location.search).get('to');
if (named) challengeByName(named);
showFields(fieldOf(form, 'clock'));
showVariant();
listenToSeekForm();
lobby.start();
followSiteNotice();

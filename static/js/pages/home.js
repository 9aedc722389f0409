/**
 * The front page: the board of the chosen variant, the terms, and one click to a link that is already copied.
 */
import { FirstMove } from '../home/first_move.js';
import { NotCreated, createGame, rememberInvitation } from '../home/invitation.js';
import { choose, recall, remember, termsOf, valueOf } from '../home/terms_form.js';
import { copyWhenReady } from '../ui/copy.js';
import { t } from '../words.js';

/** @typedef {import('../home/first_move.js').Start & {tagline: string, chess960: boolean}} Start */

/** @param {string} id */
const $ = id => /** @type {HTMLElement} */ (document.getElementById(id));
const form = /** @type {HTMLFormElement} */ ($('new-game'));
const shuffle = /** @type {HTMLInputElement} */ ($('chess960'));
const button = /** @type {HTMLButtonElement} */ ($('create'));

/** @type {{variants: Start[]}} */
const page = JSON.parse($('page').textContent ?? '');
/** One board for each variant looked at; the others wait unseen with the move made on them. @type {Map<string, FirstMove>} */
const boards = new Map();

const variant = () => page.variants.find(({ id }) => id === valueOf(form, 'variant')) ?? page.variants[0];
const isShuffled = () => variant().chess960 && shuffle.checked;

function board() {
  const { id } = variant();
  const found = boards.get(id) ?? new FirstMove(variant(), moveMade, text => showWords(text));
  if (!boards.has(id)) {
    boards.set(id, found);
    $('boards').append(found.element);
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
  $('chosen-words').textContent = hint || ready || drawn || variant().tagline;
  $('undo').hidden = !move;
}

function showVariant() {
  const { id, name, chess960 } = variant();
  const shown = board();
  for (const each of boards.values()) each.element.hidden = each !== shown;
  shown.freeze(isShuffled());
  $('chosen-name').textContent = isShuffled() ? `${name} 960` : name;
  $('shuffle').hidden = !chess960;
  /** @type {HTMLAnchorElement} */ ($('chosen-rules')).href = `/rules/${id}`;
  showWords();
}

/** Fields that are not shown must not hold the form back with a value out of range. */
function showClock() {
  const custom = valueOf(form, 'clock') === 'custom';
  $('custom-clock').hidden = !custom;
  for (const field of $('custom-clock').querySelectorAll('input')) field.disabled = !custom;
}

/** @param {Event} event */
function changed({ target }) {
  const { name } = /** @type {HTMLInputElement} */ (target);
  if (name === 'variant') showVariant();
  if (name === 'color' && valueOf(form, 'color') !== 'white') {
    board().takeBack();
    showWords();
  }
  showClock();
  remember(form);
}

/** @param {SubmitEvent} event */
async function create(event) {
  event.preventDefault();
  button.disabled = true;
  $('problem').textContent = '';
  const terms = { ...termsOf(form, board().move), chess960: isShuffled() };
  const game = createGame(terms);
  const copied = copyWhenReady(game.then(({ link }) => link));
  try {
    rememberInvitation(await game, await copied);
    location.assign((await game).url);
  } catch (error) {
    if (!(error instanceof NotCreated)) throw error;
    $('problem').textContent = error.message;
    button.disabled = false;
  }
}

recall(form);
if (location.hash) choose(form, 'variant', location.hash.slice(1));
form.addEventListener('change', changed);
form.addEventListener('submit', create);
shuffle.addEventListener('change', () => {
  showVariant();
  remember(form);
});
$('undo').addEventListener('click', () => {
  board().takeBack();
  showWords();
});
window.addEventListener('pageshow', () => (button.disabled = false));
showClock();
showVariant();

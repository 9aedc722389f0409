/**
 * The settings: each change holds at once, on the board beside, in every open tab, and at the server. The form needs no
 * script; this sends it bit by bit.
 *
 * @import { Sound } from '../ui/audio/sound.js'
 * @typedef {{variant: import('../rules/free_play.js').VariantAtStart, board: string}} PageFacts
 */
import { FreePlay } from '../rules/free_play.js';
import { LiveBoard } from '../rules/live_board.js';
import { byId, pageFacts } from '../ui/dom.js';
import { choose, onPreference, preference, show } from '../ui/preferences.js';
import { Sounds } from '../ui/audio/sound.js';

/** What is played to show a kind of sound that is not called like one. @type {Record<string, Sound>} */
const EXAMPLES = { end: 'won' };

const form = /** @type {HTMLFormElement} */ (byId('settings'));
const kept = byId('kept');
const sounds = new Sounds();

/** @param {HTMLInputElement} input @returns {string} as the server calls it */
const chosenIn = ({ type, checked, value }) => (type === 'checkbox' ? (checked ? 'on' : 'off') : value);

/** @param {HTMLInputElement} slider */
function showAmount(slider) {
  const output = slider.parentElement?.querySelector('output');
  if (output) output.textContent = `${slider.value} %`;
}

/** @param {HTMLInputElement} input */
async function keep(input) {
  const { name } = input;
  const done = await choose(name, chosenIn(input));
  kept.textContent = (done ? kept.dataset.saved : kept.dataset.failed) ?? '';
  kept.classList.toggle('kept-not', !done);
  // Only the server can write the page in another language.
  if (done && name === 'language') location.reload();
}

/** @param {string} name of the preference */
function hear(name) {
  const kind = name.replace('sound_', '');
  sounds.hear(EXAMPLES[kind] ?? /** @type {Sound} */ (kind));
}

form.addEventListener('input', ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target);
  if (input.type !== 'range') return;
  showAmount(input);
  show({ [input.name]: input.value });
});
form.addEventListener('change', ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target);
  void keep(input);
  if (input.name === 'volume') hear('sound_move');
});
form.addEventListener('click', ({ target }) => {
  const button = /** @type {HTMLElement} */ (target).closest('[data-play]');
  if (button instanceof HTMLElement) hear(button.dataset.play ?? '');
});
form.addEventListener('submit', event => event.preventDefault());

/** Follows what was chosen in another tab. */
onPreference(() => {
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('input[name]'))) {
    const value = preference(input.name);
    if (value === undefined || input.type === 'hidden') continue;
    if (input.type === 'range') input.value = value;
    else if (input.type === 'checkbox') input.checked = value === 'on';
    else input.checked = input.value === value;
    if (input.type === 'range') showAmount(input);
  }
});

/** @type {PageFacts} */
const { variant, board } = pageFacts();
const preview = new LiveBoard(variant, said => (byId('preview-says').textContent = said), board);
byId('preview').append(preview.element);
new FreePlay(preview, variant, () => {}).begin();

/**
 * The form of a new game: reads it into the terms that the server expects, and remembers the last choice in this browser.
 * Knows no board and no network.
 */
import { clockFrom } from '../game/terms.js';
import { siteStorage } from '../storage.js';
import { element } from '../ui/dom.js';

const MINUTE_S = 60;
const KEY = 'new-game';
const REMEMBERED_FIELDS = ['variant', 'clock', 'color'];

/** @param {string} id @returns {HTMLInputElement} */
const input = id => /** @type {HTMLInputElement} */ (document.getElementById(id));

/** @param {HTMLFormElement} form @param {string} name @returns {string} */
export const fieldOf = (form, name) => String(new FormData(form).get(name) ?? '');

/** @param {HTMLFormElement} form @param {string} name @param {string} value @returns {boolean} whether there is such a choice */
export function choose(form, name, value) {
  const found = /** @type {HTMLInputElement[]} */ ([...form.elements]).find(
    radio => radio.name === name && radio.value === value,
  );
  if (found) found.checked = true;
  return !!found;
}

/**
 * Chooses a variant as the address of its rules page names it, with 960 at the end for its shuffled form.
 * @param {HTMLFormElement} form @param {string} address anything else changes nothing
 */
export function chooseFromAddress(form, address) {
  const plain = choose(form, 'variant', address);
  const shuffled = !plain && address.endsWith('960') && choose(form, 'variant', address.slice(0, -3));
  if (plain || shuffled) input('chess960').checked = shuffled;
}

/** @param {string} value of a button: "600+5", "3d", "days" (as chosen beside it), "none" or "custom" */
function clockFromValue(value) {
  if (value === 'days') return clockFrom(element('days', HTMLSelectElement).value);
  if (value !== 'custom') return clockFrom(value);
  return clockFrom(`${Math.round(Number(input('minutes').value) * MINUTE_S)}+${input('seconds').value}`);
}

/** @param {HTMLFormElement} form @param {string | null} move the creator's first move, UCI */
export const termsOf = (form, move) => ({
  variant: fieldOf(form, 'variant'),
  chess960: input('chess960').checked,
  color: fieldOf(form, 'color'),
  clock: clockFromValue(fieldOf(form, 'clock')),
  ...(move ? { move } : {}),
});

/** @param {HTMLFormElement} form */
export function remember(form) {
  const fields = REMEMBERED_FIELDS.map(name => [name, fieldOf(form, name)]);
  const more = {
    minutes: input('minutes').value,
    seconds: input('seconds').value,
    chess960: input('chess960').checked,
  };
  siteStorage.set(KEY, JSON.stringify({ ...Object.fromEntries(fields), ...more }));
}

/** Restores the last choice, as far as it still exists. @param {HTMLFormElement} form */
export function recall(form) {
  const last = siteStorage.json(KEY) ?? {};
  for (const name of REMEMBERED_FIELDS) if (typeof last[name] === 'string') choose(form, name, last[name]);
  for (const id of ['minutes', 'seconds']) if (typeof last[id] === 'string') input(id).value = last[id];
  input('chess960').checked = last.chess960 === true;
}

/** The terms of a game with a friend in few words, on the button that unfolds them: "10+5, either". Knows no network. */
import { clockTerms } from '../game/terms.js';
import { byId, element } from '../ui/dom.js';
import { t } from '../words.js';
import { fieldOf } from './terms_form.js';

/** @param {HTMLFormElement} form */
export function showOwnTerms(form) {
  const color = t(`terms.${fieldOf(form, 'color') || 'random'}`).toLocaleLowerCase(document.documentElement.lang);
  byId('own-terms-words').textContent = t('home.terms', { clock: clockWords(fieldOf(form, 'clock')), color });
}

/** What is unfolded comes into sight, as on a phone all of it would lie below the window. @param {HTMLDetailsElement} terms */
export function revealUnfolded(terms) {
  terms
    .querySelector('summary')
    ?.addEventListener('click', () => setTimeout(() => terms.open && terms.scrollIntoView({ block: 'nearest' })));
}

/** @param {string} value "600+5", "days", "none" or "custom" */
function clockWords(value) {
  if (value === 'none') return t('terms.without_clock');
  if (value === 'days') return clockTerms(element('days', HTMLSelectElement).value, 'terms.n_days');
  if (value !== 'custom') return clockTerms(value, 'terms.n_days');
  const [minutes, seconds] = ['minutes', 'seconds'].map(id => element(id, HTMLInputElement).value);
  return `${minutes}+${seconds}`;
}

/**
 * The further choices for a new game: the opponent, a different time for Black, another start position, rated or casual.
 * Shows only choices that go together, and adds them to the terms. Knows no network.
 *
 * @typedef {{kind: string, initial?: number, increment?: number}} Clock
 */
import { byId, element } from '../ui/dom.js';
import { t } from '../words.js';
import { clockTerms } from '../game/terms.js';
import { fieldOf } from './terms_form.js';

/** Says the terms of a game with a friend in few words, on the button that unfolds them: "10+5, either". @param {HTMLFormElement} form */
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

const MINUTE_S = 60;

/** @param {string} id @returns {HTMLInputElement | null} null: this visitor does not have the choice */
const input = id => /** @type {HTMLInputElement | null} */ (document.getElementById(id));
const value = (/** @type {string} */ id) => input(id)?.value.trim() ?? '';

/** Shows only the fields that belong to the choices made. @param {string} clock "600+5", "days", "none" or "custom" */
export function showFields(clock) {
  const show = (/** @type {string} */ id, /** @type {boolean} */ shown) => {
    const element = document.getElementById(id);
    if (!element) return;
    element.hidden = !shown;
    // A hidden field must not block the form with a value out of range.
    for (const field of element.querySelectorAll('input')) field.disabled = !shown;
  };
  const timed = clock !== 'days' && clock !== 'none';
  show('custom-clock', clock === 'custom');
  show('days-clock', clock === 'days');
  show('to-field', value('with') === 'name');
  show('two-field', value('with') === 'two');
  show('odds-field', timed);
  show('odds-clock', timed && !!input('odds')?.checked);
}

/** Says on the button what it does: make a link, challenge somebody by name, or bring two others together. */
export function nameButton() {
  const [how, name] = [value('with'), value('to')];
  const words = {
    link: t('home.copy_link'),
    name: name ? t('home.challenge_name', { name }) : t('home.challenge_player'),
    others: t('home.make_two_links'),
    two: t('home.propose'),
  };
  byId('create-words').textContent = words[/** @type {keyof typeof words} */ (how)] ?? words.link;
  const icon = document.querySelector('#create > svg');
  icon?.toggleAttribute('hidden', how !== 'link' && how !== 'others');
}

/**
 * @template {{clock: Clock, move?: string, color?: string}} Terms
 * @param {Terms} terms
 * @returns {object} the terms with what was chosen here
 */
export function withMoreTerms(terms) {
  const odds = terms.clock.kind === 'realtime' && input('odds')?.checked;
  const black = {
    black_initial: Math.round(Number(value('black-minutes')) * MINUTE_S),
    black_increment: Number(value('black-seconds')),
  };
  const made = {
    ...terms,
    clock: odds ? { ...terms.clock, ...black } : terms.clock,
    // The move on the board was made from another start position.
    ...(value('start-fen') ? { fen: value('start-fen'), move: undefined } : {}),
    ...(input('rated-link')?.checked ? { rated: true } : {}),
    ...(value('with') === 'name' ? { to: value('to') } : {}),
  };
  const { move, color, ...open } = made;
  switch (value('with')) {
    case 'others':
      return { ...open, players: 'others' };
    case 'two':
      // The colour is the first player's.
      return { ...open, color, players: 'others', between: [value('first-name'), value('second-name')] };
    default:
      return made;
  }
}

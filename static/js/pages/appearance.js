/**
 * What this visitor prefers: light or dark, board, pieces, letters, and which of their moves they confirm. Follows the
 * system and the defaults until they choose, and remembers the choice in this browser. Loaded before the page is painted, so that nothing flashes;
 * marks the document as scripted for the style sheet, and installs the site's service worker.
 */
import boards from '../../../server/pictures/boards.json' with { type: 'json' };
import { siteStorage } from '../storage.js';
import { PIECE_SETS } from '../../pieces/piece_sets.mjs';
import { APPEARANCE_CHANGE } from '../../pieces/board_style.mjs';
import { keepFragmentForLanguage } from '../ui/fragment.js';
import { hideReadNotice } from '../ui/read_notice.js';

const root = document.documentElement;
const KEY = 'looks';
/** The choices, each with its default first. @type {Record<string, string[]>} */
const CHOICES = {
  theme: ['system', 'light', 'dark'],
  board: Object.keys(boards),
  pieces: ['carved', 'paper', 'plain', 'letters'],
  letters: ['off', 'on'],
  coordinates: ['on', 'off'],
  confirm: ['days', 'always', 'never'],
};
/** The addresses of the style sheets of other piece sets: data-plain="..." @type {DOMStringMap} */
const sheets = { ...document.currentScript?.dataset };

/** @returns {Record<string, string>} only choices that still exist */
function remembered() {
  const stored = siteStorage.json(KEY) ?? {};
  return Object.fromEntries(
    Object.keys(CHOICES)
      .filter(name => CHOICES[name].includes(stored[name]))
      .map(name => [name, stored[name]]),
  );
}

/** @param {Record<string, string>} chosen */
function apply(chosen) {
  for (const [name, [usual]] of Object.entries(CHOICES)) {
    if ((chosen[name] ?? usual) === usual) delete root.dataset[name];
    else root.dataset[name] = chosen[name];
  }
  const set = chosen.pieces;
  if (set && set in PIECE_SETS && sheets[set] && !document.querySelector(`link[href="${sheets[set]}"]`)) {
    const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: sheets[set] });
    document.head.append(sheet);
  }
  document.dispatchEvent(new Event(APPEARANCE_CHANGE));
}

const chosen = remembered();
apply(chosen);
root.classList.add('scripted');
hideReadNotice();

document.addEventListener('DOMContentLoaded', () => {
  keepFragmentForLanguage();
  const button = document.getElementById('appearance-button');
  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById('appearance'));
  if (!button || !dialog) return;
  for (const input of dialog.querySelectorAll('input'))
    input.checked = (chosen[input.name] ?? CHOICES[input.name][0]) === input.value;
  dialog.addEventListener('change', ({ target }) => {
    const { name, value } = /** @type {HTMLInputElement} */ (target);
    chosen[name] = value;
    siteStorage.set(KEY, JSON.stringify(chosen));
    apply(chosen);
  });
  button.addEventListener('click', () => dialog.showModal());
});

/** The address of the service worker, the only script address that the page's Trusted Types policy allows to be made. */
const worker = () =>
  /** @type {any} */ (globalThis).trustedTypes
    ?.createPolicy('worker', { createScriptURL: () => '/sw.js' })
    .createScriptURL('') ?? '/sw.js';

// After everything that the page itself needs. Private windows refuse; then there is no offline page.
addEventListener('load', () => void navigator.serviceWorker?.register(worker()).catch(() => {}));

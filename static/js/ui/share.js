/**
 * The dialog that shares a position: a link to it, its FEN, and the game so far as PGN, each with a button to copy it.
 * Knows neither where they come from nor what they contain.
 *
 * @typedef {{link: string, fen: string, pgn: Promise<string>}} Shared
 */
import { t } from '../words.js';
import { copyWhenReady } from './copy.js';
import { byId, element } from './dom.js';

const COPIED_MS = 2500;

export class ShareDialog {
  #dialog = element('share', HTMLDialogElement);
  #link = element('share-link', HTMLInputElement);
  #fen = element('share-fen', HTMLInputElement);
  #pgn = element('share-pgn', HTMLTextAreaElement);

  constructor() {
    for (const button of this.#dialog.querySelectorAll('button[data-copies]'))
      copyButton(/** @type {HTMLButtonElement} */ (button));
    const fields = /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (
      this.#dialog.querySelectorAll('.field')
    );
    for (const field of fields) field.addEventListener('focus', () => field.select());
    shareButton(byId('share-send'), this.#link);
  }

  /** @param {Shared} shared */
  async open({ link, fen, pgn }) {
    this.#link.value = link;
    this.#fen.value = fen;
    this.#pgn.value = '';
    this.#dialog.showModal();
    this.#pgn.value = await pgn.catch(() => t('replay.no_pgn'));
  }
}

/** A button that opens the system's dialog for sharing a link, where there is one. @param {HTMLElement} button @param {HTMLInputElement} field */
export function shareButton(button, field) {
  button.hidden = !navigator.share;
  // Cancelling is not an error.
  button.addEventListener(
    'click',
    () => void navigator.share({ title: document.title, url: field.value }).catch(() => {}),
  );
}

/** A button that copies the field named by its data-copies, and says so for a moment. @param {HTMLButtonElement} button */
export function copyButton(button) {
  const label = button.querySelector('span') ?? button;
  const words = label.textContent;
  button.addEventListener('click', async () => {
    const field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (
      document.getElementById(button.dataset.copies ?? '')
    );
    const copied = await copyWhenReady(Promise.resolve(field.value));
    label.textContent = t(copied ? 'buttons.copied' : 'buttons.copy_by_keys');
    button.classList.toggle('done', copied);
    field.select();
    setTimeout(() => {
      label.textContent = words;
      button.classList.remove('done');
    }, COPIED_MS);
  });
}

/** The note that a player of a game of days keeps for themselves: a dialog, stored by a request. Knows no game. */
import { requestJson, RequestFailed } from '../net/requests.js';
import { setText } from '../ui/dom.js';
import { t } from '../words.js';

/** Does nothing on a page without a note. @param {string} game */
export function furnishNote(game) {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById('note'));
  const open = document.getElementById('note-open');
  if (!dialog || !open) return;
  const field = /** @type {HTMLTextAreaElement} */ (dialog.querySelector('textarea'));
  const status = /** @type {HTMLElement} */ (dialog.querySelector('[role="status"]'));
  const save = /** @type {HTMLButtonElement} */ (dialog.querySelector('#note-save'));
  open.addEventListener('click', () => {
    setText(status, '');
    dialog.showModal();
    field.focus();
  });
  save.addEventListener('click', async () => {
    save.disabled = true;
    try {
      const { text } = await requestJson(`/api/games/${game}/note`, 'POST', { text: field.value });
      field.value = text;
      setText(status, t('notes.saved'));
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      setText(status, error.message);
    } finally {
      save.disabled = false;
    }
  });
}

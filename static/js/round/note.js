/** The note that a player of a game of days keeps for themselves: a dialog, stored by a request. Knows no game. */
import { requestJson, RequestFailed } from '../net/requests.js';
import { setText } from '../ui/dom.js';
import { t } from '../words.js';

/** Does nothing on a page without a note. @param {string} game @returns {() => boolean} whether something is not stored yet */
export function furnishNote(game) {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById('note'));
  const open = document.getElementById('note-open');
  if (!dialog || !open) return () => false;
  const field = /** @type {HTMLTextAreaElement} */ (dialog.querySelector('textarea'));
  const status = /** @type {HTMLElement} */ (dialog.querySelector('[role="status"]'));
  const save = /** @type {HTMLButtonElement} */ (dialog.querySelector('#note-save'));
  let stored = field.value;
  const isUnsaved = () => field.value !== stored;
  open.addEventListener('click', () => {
    setText(status, isUnsaved() ? t('notes.unsaved') : '');
    dialog.showModal();
    field.focus();
  });
  save.addEventListener('click', async () => {
    save.disabled = true;
    const sent = field.value;
    try {
      const { text } = await requestJson(`/api/games/${game}/note`, 'POST', { text: sent });
      // Somebody may have gone on writing meanwhile.
      const isSame = field.value === sent;
      if (isSame) field.value = text;
      stored = isSame ? field.value : sent;
      setText(status, t(isSame ? 'notes.saved' : 'notes.unsaved'));
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      setText(status, error.message);
    } finally {
      save.disabled = false;
    }
  });
  return isUnsaved;
}

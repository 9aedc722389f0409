/** The note that a player of a game of days keeps for themselves: a dialog, loaded when it is opened, stored by a request. */
import { requestJson, RequestFailed } from '../net/requests.js';
import { element, setText } from '../ui/dom.js';
import { t } from '../words.js';

/** @param {string} game @returns {{open: () => void, isUnsaved: () => boolean}} */
export function furnishNote(game) {
  const dialog = element('note', HTMLDialogElement);
  const field = /** @type {HTMLTextAreaElement} */ (dialog.querySelector('textarea'));
  const status = /** @type {HTMLElement} */ (dialog.querySelector('[role="status"]'));
  const save = /** @type {HTMLButtonElement} */ (dialog.querySelector('#note-save'));
  let stored = field.value;
  const isUnsaved = () => field.value !== stored;
  const open = () => {
    setText(status, isUnsaved() ? t('notes.unsaved') : '');
    dialog.showModal();
    field.focus();
  };
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
  return { open, isUnsaved };
}

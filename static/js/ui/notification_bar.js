/** A notification at the foot of any page, with one link. Knows nothing of what it says. */
import { t } from '../words.js';
import { linkElement, textButton, textElement } from './dom.js';

/** Replaces the one before. @param {string} text @param {string} words of its link @param {string} path */
export function showNotificationBar(text, words, path) {
  document.getElementById('notification')?.remove();
  const bar = textElement('div', '', 'notification-bar');
  bar.id = 'notification';
  bar.setAttribute('role', 'status');
  bar.append(
    textElement('p', text),
    linkElement(words, path, 'button primary'),
    textButton(t('buttons.close'), 'button', () => bar.remove()),
  );
  document.body.append(bar);
}

/** A notification at the foot of any page, with one link. Knows nothing of what it says. */
import { t } from '../words.js';
import { textButton, textElement } from './dom.js';

/** Instead of the one before. @param {string} text @param {string} words of the way @param {string} path */
export function showNotificationBar(text, words, path) {
  document.getElementById('notification')?.remove();
  const bar = textElement('div', '', 'notification-bar');
  bar.id = 'notification';
  bar.setAttribute('role', 'status');
  const way = /** @type {HTMLAnchorElement} */ (textElement('a', words, 'button primary'));
  way.href = path;
  bar.append(
    textElement('p', text),
    way,
    textButton(t('buttons.close'), 'button', () => bar.remove()),
  );
  document.body.append(bar);
}

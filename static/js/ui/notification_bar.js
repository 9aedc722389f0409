/** A bar at the foot of any page that calls its reader away, with one way to go there. Knows not what it says. */
import { t } from '../words.js';
import { textButton, textElement } from './page.js';

/** Instead of the one before. @param {string} text @param {string} words of the way @param {string} path */
export function showBar(text, words, path) {
  document.getElementById('call')?.remove();
  const bar = textElement('div', '', 'call-bar');
  bar.id = 'call';
  bar.setAttribute('role', 'status');
  const way = /** @type {HTMLAnchorElement} */ (textElement('a', words, 'button primary'));
  way.href = path;
  bar.append(textElement('p', text), way, textButton(t('buttons.close'), 'button', () => bar.remove()));
  document.body.append(bar);
}

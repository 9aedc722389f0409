/** One box among the notices: a sentence, and buttons to answer it. Knows no game. */
import { textElement } from '../ui/dom.js';

/** @param {string} words @param {HTMLElement[]} buttons none if there is nothing to answer */
export function offerBox(words, buttons) {
  const box = textElement('div', '', 'offer');
  box.append(textElement('p', words));
  if (buttons.length) {
    const row = textElement('div', '', 'offer-buttons');
    row.append(...buttons);
    box.append(row);
  }
  return box;
}

/** One box among the notices: a sentence, and buttons to answer it. Knows no game. */
import { create } from '../../ui/dom.js';

/** @param {string} words @param {HTMLElement[]} buttons none if there is nothing to answer */
export const offerBox = (words, buttons) =>
  create(
    'div',
    'offer',
    create('p', '', words),
    ...(buttons.length ? [create('div', 'offer-buttons', ...buttons)] : []),
  );

/**
 * A notification with one link: at the foot of a page, or, where that belongs to a board, in the head, where the page is named.
 * Knows nothing of what it says.
 */
import { t } from '../words.js';
import { create, createButton, createLink } from './dom.js';

/**
 * Replaces the one before.
 * @param {string} text @param {string} words of its link @param {string} path @param {number} ms that it stays; without it,
 *   until it is closed or replaced; nothing goes from under a pointer or the keyboard
 * @param {() => void} [onClose]   the reader closes it
 * @returns {HTMLElement}
 */
export function showNotificationBar(text, words, path, ms = Infinity, onClose) {
  document.getElementById('notification')?.remove();
  const link = createLink('button primary', path, words);
  const dismiss = () => {
    bar.remove();
    onClose?.();
  };
  const close = createButton('button', dismiss, t('buttons.close'));
  const bar = create('div', 'notification-bar', create('p', '', text), link, close);
  bar.id = 'notification';
  bar.setAttribute('role', 'status');
  const hasBoard = document.querySelector('.table, .lesson-side, .tv');
  (document.querySelector(hasBoard ? '.site-title' : 'body') ?? document.body).append(bar);
  const leave = () => (bar.matches(':hover, :focus-within') ? setTimeout(leave, ms) : bar.remove());
  if (ms < Infinity) setTimeout(leave, ms);
  return bar;
}

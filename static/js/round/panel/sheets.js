/**
 * The chat and the rules where they are sheets over half of a phone (game/sheets.css): the chat stands above the keyboard of
 * the screen, and a button or Escape puts each of them away. Knows no message.
 *
 * @typedef {'chat' | 'rules'} Sheet
 */
import { byId } from '../../ui/dom.js';

/** @param {(sheet: Sheet) => void} putAway what was in sight before is to be seen again */
export function furnishSheets(putAway) {
  for (const sheet of /** @type {const} */ (['chat', 'rules'])) {
    const close = byId(`${sheet}-close`);
    close.addEventListener('click', () => putAway(sheet));
    byId(sheet).addEventListener('keydown', event => {
      // Where it has its own place, there is nothing to put away.
      if (event.key === 'Escape' && !event.isComposing && close.checkVisibility()) putAway(sheet);
    });
  }
  const seen = window.visualViewport;
  if (!seen) return;
  const follow = () => {
    const { style } = document.documentElement;
    style.setProperty('--seen', `${seen.height}px`);
    style.setProperty('--keyboard', `${Math.max(0, innerHeight - seen.height - seen.offsetTop)}px`);
  };
  // Zoomed in by two fingers, less is seen as well, and no keyboard is there.
  const resized = () => seen.scale === 1 && follow();
  for (const kind of ['resize', 'scroll']) seen.addEventListener(kind, resized);
}

/**
 * The chat where it is a sheet over half of a phone (game/sheets.css): it stands above the keyboard of the screen, and its
 * button or Escape puts it away. Knows no message.
 */
import { byId } from '../../ui/dom.js';

/** @param {() => void} putAway what was in sight before is to be seen again */
export function furnishChatSheet(putAway) {
  const close = byId('chat-close');
  close.addEventListener('click', putAway);
  byId('chat').addEventListener('keydown', event => {
    // Where the chat has its own place, there is nothing to put away.
    if (event.key === 'Escape' && !event.isComposing && close.checkVisibility()) putAway();
  });
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

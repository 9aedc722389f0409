/**
 * The corner by which a mouse makes the board of the page smaller or larger. The size is a preference like others: whoever
 * uses no mouse chooses it on the settings page. Knows no board.
 */
import { create } from '../dom.js';
import { choose, preference, show } from '../preferences.js';

/** In per cent of what the window allows; the server knows no others. */
const LEAST = 50;
const MOST = 100;
const STEP = 5;

/** @param {number} percent @returns {string} the nearest size that can be chosen */
export const nearestSize = percent => String(Math.min(MOST, Math.max(LEAST, Math.round(percent / STEP) * STEP)));

/** @param {HTMLElement} box as large as the board */
export function addSizeHandle(box) {
  const handle = create('div', 'size-handle');
  handle.setAttribute('aria-hidden', 'true');
  /** Width at 100 %, px; 0: nobody drags. */
  let whole = 0;
  handle.addEventListener('pointerdown', event => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    whole = (box.getBoundingClientRect().width * MOST) / Number(preference('size') ?? MOST);
  });
  handle.addEventListener('pointermove', ({ clientX }) => {
    if (!whole) return;
    const size = nearestSize((100 * (clientX - box.getBoundingClientRect().left)) / whole);
    if (size !== preference('size')) show({ size });
  });
  handle.addEventListener('lostpointercapture', () => {
    if (whole) void choose('size', preference('size') ?? String(MOST));
    whole = 0;
  });
  box.append(handle);
}

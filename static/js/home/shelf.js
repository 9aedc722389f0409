/**
 * The shelf of variants: tells which one somebody is about to choose. On a phone, where it is wider than the screen: brings the
 * chosen one into sight, and unfolds all of them if somebody asks for that.
 */
import { buttonById, byId, revealIn } from '../ui/dom.js';

/** @param {(variant: string) => void} onNear its id: the pointer is over its tile, or has gone down there */
export function furnishShelf(onNear) {
  for (const sign of ['pointerover', 'pointerdown'])
    byId('shelf').addEventListener(sign, ({ target }) => {
      const field = target instanceof Element && target.closest('.shelf-one')?.querySelector('input');
      if (field) onNear(field.value);
    });
  const all = buttonById('shelf-all');
  all.addEventListener('click', () => {
    all.ariaExpanded = String(all.ariaExpanded !== 'true');
    reveal();
  });
  reveal();
}

function reveal() {
  const shelf = byId('shelf');
  const chosen = shelf.querySelector('label:has(:checked)');
  if (chosen instanceof HTMLElement) revealIn(shelf, chosen);
}

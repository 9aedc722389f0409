/**
 * The shelf of variants on a phone, which is wider than the screen: brings the chosen one into sight, and unfolds all of them
 * if somebody asks for that.
 */
import { buttonById, byId, revealIn } from '../ui/dom.js';

export function furnishShelf() {
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

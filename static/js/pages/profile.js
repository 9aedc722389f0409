/** A player's profile: rewrites its dates as the reader writes them, and closes its menu. All else needs no script. */
import { localDates } from '../ui/times.js';

localDates();

const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector('details.tie-menu'));

/** @param {boolean} focused whether the focus goes back to what opened the menu */
function close(focused) {
  if (!menu?.open) return;
  menu.open = false;
  if (focused) menu.querySelector('summary')?.focus();
}

document.addEventListener('keydown', event => event.key === 'Escape' && close(true));
document.addEventListener('click', event => {
  if (event.target instanceof Node && !menu?.contains(event.target)) close(false);
});

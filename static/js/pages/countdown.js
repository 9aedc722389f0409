/**
 * Counts down to the restart that the host has announced, on pages that say so. Without it they have the time that was left when
 * they were made.
 */
const SECOND = 1000;

const shown = /** @type {HTMLElement} */ (document.getElementById('restarts-in'));
// By how much this page is older, not by a clock of the reader's that may be wrong.
const ends = performance.now() + Number(shown.dataset.ms);

function show() {
  const left = Math.max(0, Math.ceil((ends - performance.now()) / SECOND));
  shown.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  if (left) setTimeout(show, SECOND);
}

show();

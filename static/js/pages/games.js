/**
 * The archive: draws the last position of each game in the list. The search itself needs no script.
 *
 * @import { StyledVariant } from '../../pieces/board_style.mjs'
 */
import { smallBoard } from '../board/small_board.js';
import { localDates } from '../ui/times.js';
import { styleBoard } from '../../pieces/board_style.mjs';

// Draws things far down a page only when the reader scrolls near them, one per task, so that a slow phone responds to
// touch in between. Does not know what it draws.

/** Above and below the screen. */
const NEAR = '300px';

/**
 * @template {Element} Place
 * @param {Iterable<Place>} places @param {(place: Place) => void} draw called once for each, before it comes into view
 */
function whenVisible(places, draw) {
  /** @type {Place[]} */
  const waiting = [];
  const next = () => {
    const place = waiting.shift();
    if (place) draw(place);
    if (waiting.length > 0) setTimeout(next);
  };
  const observer = new IntersectionObserver(
    entries => {
      const came = entries.filter(entry => entry.isIntersecting).map(entry => /** @type {Place} */ (entry.target));
      for (const place of came) observer.unobserve(place);
      if (came.length > 0 && waiting.length === 0) setTimeout(next);
      waiting.push(...came);
    },
    { rootMargin: NEAR },
  );
  for (const place of places) observer.observe(place);
}

/** @type {{variants: Record<string, StyledVariant>}} */
const { variants } = JSON.parse(document.getElementById('page')?.textContent ?? '{"variants":{}}');

const places = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.game-board[data-board]'));
/** @param {HTMLElement} place */
const variantOf = place =>
  variants[/** @type {HTMLElement | null} */ (place.closest('.game-line'))?.dataset.variant ?? ''];
const drawable = [...places].filter(place => place.dataset.board && variantOf(place));

// Each board has its space before it is drawn, so that nothing moves when it is.
for (const place of drawable) place.style.aspectRatio = `${variantOf(place).files} / ${variantOf(place).ranks}`;
whenVisible(drawable, place => {
  styleBoard(place, variantOf(place));
  place.append(smallBoard(place.dataset.board ?? '', variantOf(place)));
});
localDates();

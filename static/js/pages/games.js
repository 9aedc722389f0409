/**
 * The archive: draws the last position of each game in the list. The search itself needs no script.
 *
 * @import { StyledVariant } from '../../pieces/board_style.mjs'
 */
import { smallBoard } from '../board/small_board.js';
import { localDates } from '../ui/dates.js';
import { whenVisible } from '../ui/when_visible.js';
import { styleBoard } from '../../pieces/board_style.mjs';

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

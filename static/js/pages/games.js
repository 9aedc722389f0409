/** The archive: draws the last position of every game in the list. The search itself needs no script. */
import { smallBoard } from '../board/small_board.js';
import { localDates } from '../ui/dates.js';
import { dress } from '../../pieces/dress.mjs';

/** @typedef {import('../../pieces/dress.mjs').Dressable} Dressable */

/** @type {{variants: Record<string, Dressable>}} */
const { variants } = JSON.parse(document.getElementById('page')?.textContent ?? '{"variants":{}}');

for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.game-line'))) {
  const variant = variants[line.dataset.variant ?? ''];
  const place = /** @type {HTMLElement | null} */ (line.querySelector('.game-board'));
  if (!variant || !place?.dataset.board) continue;
  dress(place, variant);
  place.append(smallBoard(place.dataset.board, variant));
}
localDates();

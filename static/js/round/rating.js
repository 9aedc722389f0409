/**
 * The rating beside a player's name, and how the game changed it.
 *
 * @import { PlayerRating } from '../net/wire.js'
 */
import { t } from '../words.js';
import { create } from '../ui/dom.js';

/** @type {WeakMap<HTMLElement, string>} what each element shows, so that it is rebuilt only when that changes */
const shown = new WeakMap();

/** @param {HTMLElement} place @param {PlayerRating | null} rating */
export function renderRating(place, rating) {
  const now = JSON.stringify(rating);
  if (shown.get(place) === now) return;
  shown.set(place, now);
  place.hidden = !rating;
  place.replaceChildren(...(rating ? parts(rating) : []));
}

/** @param {PlayerRating} rating */
function parts({ rating, provisional, change }) {
  const words = t(provisional ? 'ratings.seat_provisional' : 'ratings.seat', { rating });
  const points = create('span', '', `${rating}${provisional ? '?' : ''}`);
  Object.assign(points, { role: 'img', ariaLabel: words, title: words });
  if (change === undefined || change === null) return [points];
  const moved = create('b', '', change < 0 ? `−${-change}` : change > 0 ? `+${change}` : '±0');
  if (change < 0) moved.dataset.lost = '';
  return [points, ' ', moved];
}

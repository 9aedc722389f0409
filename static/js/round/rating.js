/**
 * The rating beside a player's name, and how the game changed it. Links to the player's page.
 *
 * @import { PlayerRating } from '../net/wire.js'
 */
import { t } from '../words.js';
import { create, createLink } from '../ui/dom.js';

/** @type {WeakMap<HTMLElement, string>} what each element shows, so that it is rebuilt only when that changes */
const shown = new WeakMap();

/** @param {HTMLElement} place @param {string | null | undefined} name @param {PlayerRating | null} rating */
export function renderRating(place, name, rating) {
  const now = JSON.stringify([name, rating]);
  if (shown.get(place) === now) return;
  shown.set(place, now);
  place.hidden = !rating || !name;
  place.replaceChildren(...(rating && name ? parts(name, rating) : []));
}

/** @param {string} name @param {PlayerRating} rating */
function parts(name, { rating, provisional, change }) {
  const link = createLink('', `/@/${encodeURIComponent(name)}`, `${rating}${provisional ? '?' : ''}`);
  link.target = '_blank';
  link.rel = 'noopener';
  link.setAttribute('aria-label', t(provisional ? 'ratings.seat_provisional' : 'ratings.seat', { rating }));
  if (change === undefined || change === null) return [link];
  const moved = create('b', '', change < 0 ? `−${-change}` : change > 0 ? `+${change}` : '±0');
  if (change < 0) moved.dataset.lost = '';
  return [link, ' ', moved];
}

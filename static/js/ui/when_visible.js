/**
 * Draws things far down a page only when the reader scrolls near them, one per task, so that a slow phone responds to
 * touch in between. Does not know what it draws.
 */

/** Above and below the screen. */
const NEAR = '300px';

/**
 * @template {Element} Place
 * @param {Iterable<Place>} places @param {(place: Place) => void} draw called once for each, before it comes into view
 */
export function whenVisible(places, draw) {
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

/** Marks in the list of contents the section that is being read, and opens a folded section that an address leads to. */

import { revealIn } from '../ui/dom.js';

/** How far down the screen (px) the section that is read begins at most. */
const LINE = 110;

/** @param {HTMLElement} list */
export function followReading(list) {
  const links = new Map(
    [...list.querySelectorAll('a')].map(link => [document.getElementById(link.hash.slice(1)), link]),
  );
  const places = /** @type {HTMLElement[]} */ ([...links.keys()].filter(Boolean));
  /** @type {HTMLElement | undefined} */
  let marked;
  const mark = () => {
    const read = places.filter(place => place.getBoundingClientRect().top < LINE).at(-1) ?? places[0];
    for (const [place, link] of links) {
      if (place === read) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    const link = links.get(read);
    // On a narrow screen the list is a row wider than the window.
    if (link && read !== marked) revealIn(list, link);
    marked = read;
  };
  let waiting = false;
  const markSoon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  };
  addEventListener('scroll', markSoon, { passive: true });
  mark();
}

/** Opens whatever hides the place that the address names. */
export function openNamed() {
  let place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const named = place;
  for (; place; place = place.parentElement) if (place instanceof HTMLDetailsElement) place.open = true;
  named?.scrollIntoView();
}

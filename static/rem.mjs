/**
 * Lengths that grow with the text: styles are written in px, as designers and browsers' tools name them, and served in rem, media
 * queries included. Whoever asks their browser for text twice as large gets the page as if it were enlarged twice, with
 * nothing cut off (WCAG 1.4.4). Knows nothing of any style.
 */

/** What `1rem` is where nobody has asked for another size. */
const ROOT_PX = 16;

/** Hairlines, and what the board's squares are rounded to, stay whole pixels. */
const FINEST_PX = 2;

const LENGTHS = /url\([^)]*\)|(?<![\w.])(\d*\.?\d+)px\b/g;

/** @param {string} css @returns {string} */
export const inRem = css =>
  css.replace(LENGTHS, (whole, px) => (px > FINEST_PX ? `${+(px / ROOT_PX).toFixed(5)}rem` : whole));

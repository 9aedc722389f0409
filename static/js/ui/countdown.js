/** Counts down in minutes and seconds, as long as its element is on the page. Knows nothing of what happens then. */
const SECOND = 1000;

/**
 * By how much the page has grown older since, not by a clock of the reader's that may be wrong.
 * @param {HTMLElement} shown @param {number} ms
 */
export function countDown(shown, ms) {
  const ends = performance.now() + ms;
  const show = () => {
    const left = Math.max(0, Math.ceil((ends - performance.now()) / SECOND));
    shown.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    if (left && shown.isConnected) setTimeout(show, SECOND);
  };
  show();
}

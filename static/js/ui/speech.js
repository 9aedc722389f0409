/**
 * The live region: what a screen reader says. Several things said in one moment are joined, since a region that changes
 * twice at once is heard once.
 */

/** @param {HTMLElement} region aria-live @returns {(text: string) => void} */
export function speaker(region) {
  /** @type {string[]} */
  let waiting = [];
  return text => {
    waiting.push(text);
    if (waiting.length > 1) return;
    setTimeout(() => {
      region.textContent = waiting.map(sentence => sentence.replace(/\.$/, '')).join('. ');
      waiting = [];
    }, 50);
  };
}

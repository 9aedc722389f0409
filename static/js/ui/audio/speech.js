/**
 * The live region, which screen readers read out. Texts that come at the same moment are joined, since only the last of
 * several changes would be heard.
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

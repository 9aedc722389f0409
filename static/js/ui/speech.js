/**
 * The live region, which a screen reader reads out. Texts of the same moment are joined, since of two changes at once
 * only one would be heard.
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

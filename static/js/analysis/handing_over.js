/**
 * A game on its way from the board of one variant to that of another: an address has no room for what is said of its
 * moves. It is taken once, by the next analysis page of the same tab. A browser that stores nothing hands nothing over.
 */
const KEY = 'analysis-pgn';

/** @param {string} pgn @returns {boolean} is it on its way? */
export function handOver(pgn) {
  try {
    sessionStorage.setItem(KEY, pgn);
    return true;
  } catch {
    return false;
  }
}

/** @returns {string | null} null: nothing is on its way */
export function handedOver() {
  try {
    const pgn = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return pgn;
  } catch {
    return null;
  }
}

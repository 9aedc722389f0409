/** Does what the server may refuse, and tells the person why. */
import { RequestFailed } from '../net/requests.js';

/**
 * @param {HTMLElement} place for the reason, emptied first @param {() => Promise<unknown>} work
 * @returns {Promise<boolean>} whether it was done
 */
export async function attempt(place, work) {
  place.textContent = '';
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    place.textContent = error.message;
    return false;
  }
}

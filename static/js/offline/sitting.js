/**
 * Seats a page at its board: at the server's game at once; at a game in this browser as soon as the script that plays it has
 * come, and if it does not come the page says so. Knows nothing of either game.
 *
 * @import { PageFacts } from '../pages/round.js'
 * @import { LocalServer } from './local_server.js'
 *
 * @typedef {object} OfflineParts   of the facts of a page
 * @property {string} [offline]   the address of what plays it here
 * @property {string} [you]   what the person is called
 * @property {LocalServer} [local]   in the place of the server
 */
import { byId, setText } from '../ui/dom.js';

/** @param {PageFacts} facts @param {(facts: PageFacts) => void} sit @returns {Promise<void> | void} */
export function sitAt(facts, sit) {
  if (facts.offline) return sitHere(facts, facts.offline, sit);
  sit(facts);
}

/** @param {PageFacts} facts @param {string} script its address @param {(facts: PageFacts) => void} sit */
async function sitHere(facts, script, sit) {
  try {
    const { sitDown } = await import(script);
    await sitDown(facts, sit);
  } catch (error) {
    console.error(error);
    const note = byId('offline-note');
    setText(note, note.dataset.unloaded ?? '');
  }
}

/**
 * Sits down at the board of a page: at the server's game at once, at one that is kept in this browser once what plays it here
 * is loaded. Knows nothing of either.
 *
 * @import { PageFacts } from '../pages/round.js'
 * @import { OfflineTable } from './table.js'
 *
 * @typedef {object} OfflineParts   of the facts of a page
 * @property {string} [offline]   the address of what plays it here
 * @property {string} [you]   what the person is called
 * @property {OfflineTable} [table]   in the place of the server
 */

/** @param {PageFacts} facts @param {(facts: PageFacts) => void} sit */
export function sitAt(facts, sit) {
  if (facts.offline) import(facts.offline).then(({ sitDown }) => sitDown(facts, sit));
  else sit(facts);
}

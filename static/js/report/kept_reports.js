/**
 * The latest reports, kept in this browser, so that a game is looked through once. What was made by an older engine is made
 * anew.
 *
 * @import { Judged } from './judgement.js'
 * @import { Played } from './report_maker.js'
 */
import { siteStorage } from '../storage.js';

const KEY = 'reports';
/** To be raised when the engine judges differently. */
const ENGINE = 1;
const MOST = 12;

/** @param {string} variant id @param {Played} game */
const nameOf = (variant, { start, chess960, moves, result }) =>
  [ENGINE, variant, chess960 ? 960 : '', start, moves.join(' '), result].join('|');

/** @returns {{name: string, positions: Judged[]}[]} */
function all() {
  const kept = siteStorage.json(KEY);
  return Array.isArray(kept) ? kept.filter(one => typeof one?.name === 'string' && Array.isArray(one.positions)) : [];
}

/** @param {string} variant id @param {Played} game @returns {Judged[] | null} null: there is none */
export function keptReport(variant, game) {
  const found = all().find(({ name }) => name === nameOf(variant, game))?.positions;
  return found?.length === game.moves.length + 1 ? found : null;
}

/** @param {string} variant id @param {Played} game @param {Judged[]} positions */
export function keepReport(variant, game, positions) {
  const name = nameOf(variant, game);
  const shortened = positions.map(({ score, line }) => ({ score, line: line.slice(0, 6) }));
  const others = all().filter(one => one.name !== name);
  siteStorage.set(KEY, JSON.stringify([{ name, positions: shortened }, ...others].slice(0, MOST)));
}

/**
 * The address that opens a report: that of a game of this site with #report, or the whole line with r=1; for that of the strong
 * engine #report-strong and r=2. Whoever opens it has the engine make the report, which is the same everywhere.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { Study } from './study.js'
 */
import { toFragment } from './study.js';

/** @typedef {'own' | 'strong'} Maker   which engine */
/** What stands after the # for the report of a game of this site, and after r= for that of a line. @type {Map<string, Maker>} */
const OF_GAMES = new Map([
  ['report', 'own'],
  ['report-strong', 'strong'],
]);
/** @type {Map<string, Maker>} */
const OF_LINES = new Map([
  ['1', 'own'],
  ['2', 'strong'],
]);

/** Whether what stands after the # names nothing but a report. @param {string} text */
export const isReportAlone = text => OF_GAMES.has(text);

/** @param {Study} study @param {Variant} variant @param {{origin: string, search: string}} address of the page @param {Maker} by */
export function linkToReport(study, variant, { origin, search }, by) {
  const path = `${origin}/analysis/${variant.id}`;
  const game = new URLSearchParams(search).get('game');
  if (game) return `${path}?game=${encodeURIComponent(game)}#report${by === 'strong' ? '-strong' : ''}`;
  const { fragment } = toFragment(study, variant.startFen);
  return `${path}#${fragment}&r=${by === 'strong' ? 2 : 1}`;
}

/** Whose report of what it names an address asks for. @param {string} hash "#…" @returns {Maker | null} null: for none */
export function asksForReport(hash) {
  const text = hash.slice(1);
  return OF_GAMES.get(text) ?? OF_LINES.get(new URLSearchParams(text).get('r') ?? '') ?? null;
}

/**
 * The address that opens a report: that of a game of this site with #report, or the whole line with r=1. Whoever opens it has
 * the engine make the report, which is the same everywhere.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { Study } from './study.js'
 */
import { toFragment } from './study.js';

export const REPORT = 'report';

/** @param {Study} study @param {Variant} variant @param {{origin: string, search: string}} address of the page */
export function linkToReport(study, variant, { origin, search }) {
  const path = `${origin}/analysis/${variant.id}`;
  const game = new URLSearchParams(search).get('game');
  if (game) return `${path}?game=${encodeURIComponent(game)}#${REPORT}`;
  const { fragment } = toFragment(study, variant.startFen);
  return `${path}#${fragment}&r=1`;
}

/** Whether an address asks for the report of what it names. @param {string} hash "#…" @returns {boolean} */
export const asksForReport = hash => hash.slice(1) === REPORT || /(?:^|&)r=1(?:&|$)/.test(hash.slice(1));

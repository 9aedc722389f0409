/** Time controls as the whole site writes them: minutes at the start, with decimals if need be, and seconds a move. Pure. */
import { t } from '../words.js';

const MINUTE_S = 60;

/** @param {number} initial s @param {number} increment s @returns {string} "5+3", "0.5+0" */
export const realtimeWords = (initial, increment) => `${Number((initial / MINUTE_S).toPrecision(6))}+${increment}`;

/** @param {string} text on the wire: "300+3" in seconds, "3d" in days @returns {string} "5+3", "3 days a move" */
export function clockTerms(text) {
  if (text.endsWith('d')) return t('terms.days', { n: parseInt(text, 10) });
  const [initial, increment] = text.split('+').map(Number);
  return realtimeWords(initial, increment);
}

/** The clock as POST /api/games expects it, seconds. @param {string} text "300+3", "3d" or "none" */
export function clockFrom(text) {
  if (text === 'none') return { kind: 'unlimited' };
  if (text.endsWith('d')) return { kind: 'correspondence', days: parseInt(text, 10) };
  const [initial, increment] = text.split('+').map(Number);
  return { kind: 'realtime', initial, increment };
}

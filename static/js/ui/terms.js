/** A time control as people write it, from its text on the wire ("300+3" in seconds, "3d" in days). Pure. */
import { t } from '../words.js';

const MINUTE_S = 60;

/** @param {string} text @returns {string} "5+3", "3 days" */
export function clockTerms(text) {
  const days = /^(\d+)d$/.exec(text);
  if (days) return t('terms.days', { n: Number(days[1]) });
  const [initial, increment] = text.split('+').map(Number);
  return `${initial % MINUTE_S ? (initial / MINUTE_S).toFixed(1).replace(/\.0$/, '') : initial / MINUTE_S}+${increment}`;
}

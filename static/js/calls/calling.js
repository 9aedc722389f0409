/**
 * Calls whoever has left an alert, or was challenged by name, by the browser's own notifications. Where web push
 * calls already, that is enough. Knows no line and no element.
 *
 * @typedef {import('./matching.js').Seek} Seek
 */
import { t } from '../words.js';
import { claimCall, kept } from './kept.js';
import { answers } from './matching.js';
import { notify } from './notify.js';

/** @param {Seek} seek that has just come @returns {string | null} the call in words; null: it is none for this person now */
export function callFor(seek) {
  const now = Date.now();
  const known = kept();
  if (!known?.alerts.some(alert => answers(alert, seek, known.me, now)) || !claimCall(now)) return null;
  const words = t('calls.waits_title', { name: seek.name });
  if (!known.push) notify(words, t('calls.open_lobby'), 'waits', '/');
  return words;
}

/** @param {string} by a name @param {string} game @returns {string} the call in words */
export function callForChallenge(by, game) {
  const words = t('calls.challenged', { name: by });
  if (document.hidden) notify(words, '', 'challenge', `/${game}`);
  return words;
}

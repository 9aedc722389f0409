/**
 * Calls whoever has left an alert, or was challenged by name, by the browser's own notifications. Where web push
 * calls already, that is enough. Knows no line and no element.
 *
 * @typedef {import('./seek_alert.js').Seek} Seek
 */
import { t } from '../words.js';
import { claimCall, kept } from './stored_alerts.js';
import { answers } from './seek_alert.js';
import { notify } from './browser_notifications.js';

/** @param {Seek} seek that has just come @returns {string | null} the call in words; null: it is none for this person now */
export function callFor(seek) {
  const now = Date.now();
  const known = kept();
  if (!known?.alerts.some(alert => answers(alert, seek, known.me, now)) || !claimCall(now)) return null;
  const words = t('notifications.waits_title', { name: seek.name });
  if (!known.push) notify(words, t('notifications.open_lobby'), 'waits', '/');
  return words;
}

/** @param {string} by a name @param {string} game @returns {string} the call in words */
export function callForChallenge(by, game) {
  const words = t('notifications.challenged', { name: by });
  if (document.hidden) notify(words, '', 'challenge', `/${game}`);
  return words;
}

/**
 * Notifies of a seek that matches an alert, of a challenge and of a message, with the browser's own notifications, unless web push
 * already does. Knows no socket and no element.
 *
 * @import { SeekView as Seek } from '../net/wire.js'
 * @import { ListedChallenge } from './challenges.js'
 */
import { personName, t } from '../words.js';
import { claimNotification, matchesAlert, storedAlerts } from './stored_alerts.js';
import { notify } from './browser_notifications.js';

/** @param {Seek} seek that has just been added @returns {string | null} what to tell the reader; null: nothing */
export function notifyOfSeek(seek) {
  const now = Date.now();
  const known = storedAlerts();
  if (!known?.alerts.some(alert => matchesAlert(alert, seek, known.me, now)) || !claimNotification(now)) return null;
  const words = t('notifications.waits_title', { name: seek.name });
  if (!known.push) notify(words, t('notifications.open_lobby'), 'waits', '/');
  return words;
}

/**
 * @param {import('../net/wire.js').Challenged} challenge @param {ListedChallenge[]} waiting what waits for the reader now
 * @returns {string} what to tell the reader: "Anna challenges you: Chess · 5+3 · you have Black"
 */
export function notifyOfChallenge({ by, game, proposed, proposer }, waiting) {
  const who = proposer
    ? t('notifications.proposed_by', { by: proposer, name: by })
    : t(proposed ? 'notifications.proposed' : 'notifications.challenged', { name: by });
  const words = waiting.find(one => one.game === game)?.words ?? '';
  if (document.hidden) notify(who, words, `/${game}`, `/${game}`);
  return words ? `${who}: ${words}` : who;
}

/** @param {import('../net/wire.js').RematchOffered} offered at a board that the reader does not see @returns {string} what to tell them */
export function notifyOfRematch({ by, game }) {
  const words = t('notifications.offers_rematch', { name: personName(by) });
  if (document.hidden) notify(words, '', `/${game}`, `/${game}`);
  return words;
}

/** @param {import('../net/wire.js').TournamentSoon} message @returns {string} what to tell the reader */
export function notifyOfTournament({ tournament, name }) {
  const words = t('notifications.tournament_soon', { name });
  if (document.hidden) notify(words, '', `/tournament/${tournament}`, `/tournament/${tournament}`);
  return words;
}

/** @param {import('../net/wire.js').Written} message in a game whose board the reader does not see @returns {string} what to tell them */
export function notifyOfMessage({ by, game }) {
  const words = t('notifications.wrote', { name: personName(by) });
  if (document.hidden) notify(words, '', `/${game}#chat`, `/${game}`);
  return words;
}

/** Tells the readers of pages that are already open about the host's notice. Knows no socket. */
import { showNotificationBar } from '../ui/notification_bar.js';
import { t } from '../words.js';

/** Follows the event that every socket of the page sends: the text of the notice, null if there is none any more. */
export const followSiteNotice = () =>
  document.addEventListener('site-notice', event => show(/** @type {CustomEvent<string | null>} */ (event).detail));

/** @param {string | null} text */
function show(text) {
  if (text === null) return document.getElementById('notification')?.remove();
  // No more than its first lines, as a board may be under it. Loaded again, the page has all of it at its top.
  showNotificationBar(
    t('notifications.from_host', { text: text.split('\n')[0] }),
    t('notifications.read_notice'),
    location.href,
  );
}

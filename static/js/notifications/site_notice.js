/**
 * Tells the readers of pages that are already open about the host's notice. Knows no socket.
 *
 * @import { NoticeOut } from '../net/wire.js'
 */
import { countDown } from '../ui/times.js';
import { create } from '../ui/dom.js';
import { showNotificationBar } from '../ui/notification_bar.js';
import { t } from '../words.js';

/** Follows the event that every socket of the page sends: the notice, without a text if there is none any more. */
export const followSiteNotice = () =>
  document.addEventListener('site-notice', event => show(/** @type {CustomEvent<NoticeOut>} */ (event).detail));

/** @param {NoticeOut} notice */
function show({ text, restarts_in }) {
  if (text === undefined) return document.getElementById('notification')?.remove();
  // No more than its first lines, as a board may be under it. Loaded again, the page has all of it at its top.
  const bar = showNotificationBar(
    t('notifications.from_host', { text: text.split('\n')[0] }),
    t('notifications.read_notice'),
    location.href,
  );
  if (restarts_in === undefined) return;
  const left = create('b', '');
  left.role = 'timer';
  bar.firstElementChild?.prepend(left, ' ');
  countDown(left, restarts_in);
}

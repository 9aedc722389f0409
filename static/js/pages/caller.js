/**
 * On every page of somebody who has left a standing offer in this browser: listens for seeks, and calls him when one
 * answers it; and on every page of a registered person, who can be challenged by name.
 * Where web push calls already, only the page itself says so. And who waits for an opponent can read
 * other pages meanwhile: any open page keeps his seek alive, and tells him that his game has begun.
 */
import { claimCall, isSeeking, kept } from '../calls/kept.js';
import { answers } from '../calls/matching.js';
import { notify } from '../calls/notify.js';
import { PROTOCOL } from '../net/messages.js';
import { Line } from '../net/socket.js';
import { textButton, textElement } from '../ui/page.js';
import { t } from '../words.js';

/** @typedef {import('../calls/matching.js').Seek} Seek */

const isFront = location.pathname === '/';

/** @param {Seek} seek */
function hear(seek) {
  const now = Date.now();
  const known = kept();
  if (!known?.alerts.some(alert => answers(alert, seek, known.me, now)) || !claimCall(now)) return;
  const title = t('calls.waits_title', { name: seek.name });
  if (!known.push) notify(title, t('calls.open_lobby'), 'waits', '/');
  // The front page shows the seek itself.
  if (!isFront) showBar(title, t('calls.open_lobby'), '/');
}

/** @param {string} game */
function begun(game) {
  if (isFront) return;
  if (document.hidden) notify(t('calls.begun'), '', 'begun', `/${game}`);
  showBar(t('calls.begun'), t('calls.open_game'), `/${game}`);
}

/** @param {string} by a name @param {string} game */
function challenged(by, game) {
  const words = t('calls.challenged', { name: by });
  if (document.hidden) notify(words, '', 'challenge', `/${game}`);
  showBar(words, t('calls.open_game'), `/${game}`);
}

/** @param {string} text @param {string} words @param {string} path */
function showBar(text, words, path) {
  document.getElementById('call')?.remove();
  const bar = textElement('div', '', 'call-bar');
  bar.id = 'call';
  bar.setAttribute('role', 'status');
  const way = /** @type {HTMLAnchorElement} */ (textElement('a', words, 'button primary'));
  way.href = path;
  bar.append(textElement('p', text), way, textButton(t('buttons.close'), 'button', () => bar.remove()));
  document.body.append(bar);
}

const isMember = document.documentElement.hasAttribute('data-member');
if (isMember || kept()?.alerts.length || (isSeeking() && !isFront)) {
  const line = new Line({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/lobby`,
    greeting: () => ({ t: 'hi', proto: PROTOCOL }),
    onMessage: (/** @type {any} */ message) => {
      if (message.t === 'seek_added') hear(message.seek);
      if (message.t === 'paired') begun(message.game);
      if (message.t === 'challenged') challenged(message.by, message.game);
    },
    onState: () => {},
    reload: () => false,
  });
  line.start();
  window.addEventListener('pagehide', () => line.stop());
  window.addEventListener('pageshow', event => event.persisted && line.start());
  window.addEventListener('online', () => line.wake());
}

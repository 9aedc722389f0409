/**
 * On every page but the front page, which has the lobby's line itself, of somebody who has left a standing offer in this
 * browser: listens for seeks, and calls him when one answers it; and of a registered person, who can be challenged by
 * name. And who waits for an opponent can read other pages meanwhile: any open page keeps his seek alive, and tells him
 * that his game has begun.
 */
import { callFor, callForChallenge } from '../calls/calling.js';
import { isSeeking, kept } from '../calls/kept.js';
import { notify } from '../calls/notify.js';
import { PROTOCOL } from '../net/messages.js';
import { lineAddress, openWithPage } from '../net/page_line.js';
import { Line } from '../net/socket.js';
import { textButton, textElement } from '../ui/page.js';
import { t } from '../words.js';

/** @param {import('../calls/matching.js').Seek} seek */
function hear(seek) {
  const words = callFor(seek);
  if (words) showBar(words, t('calls.open_lobby'), '/');
}

/** @param {string} game */
function begun(game) {
  if (document.hidden) notify(t('calls.begun'), '', 'begun', `/${game}`);
  showBar(t('calls.begun'), t('calls.open_game'), `/${game}`);
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
if (isMember || kept()?.alerts.length || isSeeking())
  openWithPage(new Line({
    url: lineAddress('/ws/lobby'),
    greeting: () => ({ t: 'hi', proto: PROTOCOL }),
    onMessage: (/** @type {any} */ message) => {
      const { t: tag, seek, game, by } = message;
      if (tag === 'seek_added') hear(seek);
      if (tag === 'paired') begun(game);
      if (tag === 'challenged') showBar(callForChallenge(by, game), t('calls.open_game'), `/${game}`);
    },
    onState: () => {},
    reload: () => false,
  }));

/**
 * What others have said while the chat was out of sight: how many lines, and the newest on a button that leads there.
 */
import { t } from '../words.js';
import { byId, element } from './page.js';

/** So much of the chat has to be on the screen for its lines to count as read. */
const IN_SIGHT = 0.5;

export class UnreadChat {
  #chat = byId('chat');
  #button = element('chat-alert', HTMLButtonElement);
  #words = /** @type {HTMLElement} */ (this.#button.querySelector('span'));
  #sounds;
  #changed;
  #inSight = false;
  #count = 0;

  /** @param {import('./sound.js').Sounds} sounds @param {() => void} changed */
  constructor(sounds, changed) {
    this.#sounds = sounds;
    this.#changed = changed;
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.#inSight = isIntersecting;
      this.#look();
    }, { threshold: IN_SIGHT }).observe(this.#chat);
    document.addEventListener('visibilitychange', () => this.#look());
    this.#button.addEventListener('click', () => {
      this.#chat.scrollIntoView({ block: 'center' });
      byId('chat-text').focus({ preventScroll: true });
    });
  }

  /** @returns {number} lines that nobody can have seen here */
  get count() {
    return this.#count;
  }

  /** Somebody else has said something. @param {import('../net/messages.js').ChatLine} line */
  said({ name, text }) {
    this.#sounds.play('chat');
    if (this.#isRead()) return;
    this.#count += 1;
    this.#words.textContent = t('round.said_by', { name, text });
    this.#button.hidden = false;
    this.#changed();
  }

  #isRead() {
    return this.#inSight && document.visibilityState === 'visible';
  }

  #look() {
    if (!this.#count || !this.#isRead()) return;
    this.#count = 0;
    this.#button.hidden = true;
    this.#changed();
  }
}

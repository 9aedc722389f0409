/**
 * Counts the chat messages that arrived while the chat was out of sight, and shows their number on its tab.
 * What was read is remembered as long as the tab is open, so that reloading the page does not mark messages as read.
 *
 * @import { ChatLine } from '../../net/wire.js'
 */
import { tabStorage } from '../../storage.js';
import { t } from '../../words.js';
import { byId } from '../../ui/dom.js';

/** How much of the chat has to be on screen for its messages to count as read. */
const IN_SIGHT = 0.5;

export class UnreadChat {
  #lineList = byId('chat-lines');
  #badge = byId('chat-unread');
  #changed;
  #key;
  #inSight = false;
  #count = 0;
  /** @type {ChatLine[]} */
  #lines = [];
  /** @type {number | null} time of the newest message read; null: this tab has not been here before */
  #readAt;

  /** @param {string} game @param {() => void} changed */
  constructor(game, changed) {
    this.#key = `read:${game}`;
    const kept = tabStorage.get(this.#key);
    this.#readAt = kept === null ? null : Number(kept);
    this.#changed = changed;
    new IntersectionObserver(
      ([{ isIntersecting }]) => {
        this.#inSight = isIntersecting;
        this.#look();
      },
      { threshold: IN_SIGHT },
    ).observe(this.#lineList);
    document.addEventListener('visibilitychange', () => this.#look());
  }

  /** @returns {number} unread messages */
  get count() {
    return this.#count;
  }

  /** @param {ChatLine[]} lines the others' messages, oldest first */
  render(lines) {
    this.#lines = lines;
    // Messages older than the tab's first visit are not news.
    if (this.#readAt === null) this.#read();
    this.#look();
  }

  #read() {
    const newest = this.#lines.at(-1)?.at ?? 0;
    if (newest === this.#readAt) return;
    this.#readAt = newest;
    tabStorage.set(this.#key, String(this.#readAt));
  }

  #look() {
    if (this.#inSight && document.visibilityState === 'visible') this.#read();
    const readAt = this.#readAt ?? 0;
    const unread = this.#lines.filter(({ at }) => at > readAt);
    if (unread.length === this.#count) return;
    this.#count = unread.length;
    this.#badge.hidden = !this.#count;
    this.#badge.textContent = String(this.#count);
    this.#badge.ariaLabel = t('round.unread', { n: this.#count });
    this.#changed();
  }
}

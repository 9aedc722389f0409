/**
 * The chat: players write to each other, watchers to watchers; the server decides who is in which room.
 *
 * @import { GameState } from '../../game/model.js'
 * @import { ChatLine } from '../../net/wire.js'
 */
import { t } from '../../words.js';
import { byId, create, setText } from '../../ui/dom.js';
import { personLinkAside } from '../../ui/person_link.js';
import { ChatField } from './chat_field.js';

export class Chat {
  #title = byId('chat-title');
  #lines = byId('chat-lines');
  /** What became of a message that was sent is told to it. */
  field;
  /** @type {ChatLine[]} the lines on the page */
  #shown = [];

  /** @param {(text: string) => Promise<number | null>} say the number of the command; null: it was not sent */
  constructor(say) {
    this.field = new ChatField(say);
  }

  /** @param {GameState} state @param {boolean} invited this person has been offered a free seat */
  render({ you, chat, presence }, invited) {
    const watching = presence?.watchers ? ` · ${t('round.watching', { n: presence.watchers })}` : '';
    this.field.setRoom(you || invited ? 'players' : 'watchers');
    setText(this.#title, t(you || invited ? 'round.chat_opponent' : 'round.chat_watchers') + watching);
    const before = this.#shown.length;
    for (const [index, message] of chat.entries()) this.#show(message, index);
    while (this.#lines.children.length > chat.length) this.#lines.lastElementChild?.remove();
    this.#shown.length = chat.length;
    if (chat.length !== before) this.#lines.scrollTop = this.#lines.scrollHeight;
  }

  /** Puts a message at an index: one that arrives late may belong between others.
   * @param {ChatLine} said @param {number} index */
  #show(said, index) {
    const { room, name, account, bot, text } = said;
    const there = this.#shown[index];
    if (there === said) return;
    // After a snapshot, the same messages are other objects.
    const known = JSON.stringify(there) === JSON.stringify(said);
    this.#shown.splice(index, known ? 1 : 0, said);
    if (known) return;
    const message = create('li', room, create('b', '', personLinkAside(name, account, bot)), create('span', '', text));
    this.#lines.insertBefore(message, this.#lines.children[index] ?? null);
  }
}

/**
 * The chat of the room that this person is in: players talk to each other, watchers to watchers; the server decides.
 *
 * @typedef {import('../game/model.js').GameState} GameState
 */
import { t } from '../words.js';
import { byId, element, textElement } from './page.js';

export class Chat {
  #title = byId('chat-title');
  #lines = byId('chat-lines');
  #input = element('chat-text', HTMLInputElement);
  #count = 0;

  /** @param {(text: string) => Promise<boolean>} say false: it was not sent and stays in the field */
  constructor(say) {
    element('chat-form', HTMLFormElement).addEventListener('submit', async event => {
      event.preventDefault();
      const text = this.#input.value.trim();
      if (text && (await say(text))) this.#input.value = '';
    });
  }

  /** @param {GameState} state @param {boolean} invited a free seat was offered to this person */
  render({ you, chat, crowd }, invited) {
    const watching = crowd?.watchers ? ` · ${t('round.watching', { n: crowd.watchers })}` : '';
    const title = t(you || invited ? 'round.chat_opponent' : 'round.chat_watchers') + watching;
    if (this.#title.textContent !== title) this.#title.textContent = title;
    if (chat.length < this.#count) this.#clear();
    for (const { room, name, text } of chat.slice(this.#count)) {
      const line = textElement('li', '', room);
      line.append(textElement('b', name), textElement('span', text));
      this.#lines.append(line);
    }
    if (chat.length !== this.#count) this.#lines.scrollTop = this.#lines.scrollHeight;
    this.#count = chat.length;
  }

  #clear() {
    this.#lines.replaceChildren();
    this.#count = 0;
  }
}

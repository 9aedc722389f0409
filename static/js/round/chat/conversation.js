/**
 * The chat of a game's page as a whole: what is said, how much of it is unread, and what becomes of what this person writes.
 * Whoever has no name yet becomes a guest with their first message.
 *
 * @import { GameState } from '../../game/model.js'
 * @import { GameOutbound } from '../../net/wire.js'
 * @import { Sounds } from '../../ui/audio/sound.js'
 * @typedef {{game: string, me: {id: string, name: string} | null}} Person   me: set here once they have a name
 *
 * @typedef {object} Page   what the page does for it
 * @property {() => GameState} state
 * @property {(text: string) => number | null} send   the number of the command; null: it was not sent
 * @property {() => Promise<void>} greetAnew   the server is to know who they are now
 * @property {() => void} unreadChanged
 * @property {Sounds} sounds
 */
import { becomeGuest } from '../../net/guest.js';
import { Chat } from './chat.js';
import { UnreadChat } from './unread_chat.js';

export class Conversation {
  #person;
  #page;
  #chat = new Chat(text => this.#say(text));
  #unread;

  /** @param {Person} person @param {Page} page */
  constructor(person, page) {
    this.#person = person;
    this.#page = page;
    this.#unread = new UnreadChat(person.game, page.unreadChanged);
  }

  /** @returns {number} messages of others that they have not seen */
  get unread() {
    return this.#unread.count;
  }

  /** @param {GameOutbound} message */
  happened(message) {
    if (message.t === 'ok') this.#chat.field.done(message.id);
    if (message.t === 'error' && message.id !== undefined) this.#chat.field.refused(message.id);
    if (message.t === 'said' && message.line.name !== this.#ownName) this.#page.sounds.play('chat');
  }

  /** What was sent did not go out, or the connection is gone and with it the answers. */
  disconnected() {
    this.#chat.field.disconnected();
  }

  /** @param {GameState} state @param {boolean} invited this person has been offered a free seat */
  render(state, invited) {
    this.#chat.render(state, invited);
    this.#unread.render(state.chat.filter(({ name }) => name !== this.#ownName));
  }

  get #ownName() {
    const { you, seats } = this.#page.state();
    return you ? seats[you].name : this.#person.me?.name;
  }

  /** @param {string} text @returns {Promise<number | null>} as `Page.send` */
  async #say(text) {
    if (!this.#person.me && !this.#page.state().you) {
      this.#person.me = await becomeGuest();
      if (!this.#person.me) return null;
      await this.#page.greetAnew();
    }
    return this.#page.send(text);
  }
}

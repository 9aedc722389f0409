/**
 * The chat of a game's page as a whole: what is said, how much of it is unread, and what becomes of what this person writes.
 * Whoever has no name yet becomes a guest with their first message.
 *
 * @import { GameState } from '../../game/model.js'
 * @import { ChatLine, GameOutbound } from '../../net/wire.js'
 * @import { Sounds } from '../../ui/audio/sound.js'
 * @typedef {{game: string, me: {id: string, name: string} | null}} Person   me: set here once they have a name
 * @typedef {object} Page   what the page does for it
 * @property {() => GameState} state
 * @property {(text: string) => number | null} send   the number of the command; null: it was not sent
 * @property {() => Promise<void>} greetAnew   the server is to know who they are now
 * @property {() => void} unreadChanged
 * @property {Sounds} sounds
 */
import { request } from '../../net/requests.js';
import { t } from '../../words.js';
import { buttonById, byId, create, formById, onSubmit, setText } from '../../ui/dom.js';
import { personLinkAside } from '../../ui/person_link.js';
import { tabStorage } from '../../storage.js';

/**
 * Counts the chat messages that arrived while the chat was out of sight, and shows their number on its tab.
 * What was read is remembered as long as the tab is open, so that reloading the page does not mark messages as read.
 */
/** How much of the chat has to be on screen for its messages to count as read. */
const IN_SIGHT = 0.5;

class UnreadChat {
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

/**
 * The chat: players write to each other, watchers to watchers; the server decides who is in which room.
 */
export class Chat {
  #title = byId('chat-title');
  #lines = byId('chat-lines');
  /** What became of a message that was sent is told to it. */
  field;
  /** Who is said to watch. */
  #named = '';
  /** @type {ChatLine[]} the lines on the page */
  #shown = [];

  /** @param {(text: string) => Promise<number | null>} say the number of the command; null: it was not sent */
  constructor(say) {
    this.field = new ChatField(say);
  }

  /** @param {Pick<GameState, 'you' | 'chat' | 'presence'>} state @param {boolean} invited this person has been offered a free seat */
  render({ you, chat, presence }, invited) {
    const watching = presence?.watchers ? ` · ${t('round.watching', { n: presence.watchers })}` : '';
    this.field.setRoom(you || invited ? 'players' : 'watchers');
    this.#showNames(presence?.names ?? [], presence?.watchers ?? 0);
    setText(this.#title, t(you || invited ? 'round.chat_opponent' : 'round.chat_watchers') + watching);
    const before = this.#shown.length;
    for (const [index, message] of chat.entries()) this.#show(message, index);
    while (this.#lines.children.length > chat.length) this.#lines.lastElementChild?.remove();
    this.#shown.length = chat.length;
    if (chat.length !== before) this.#lines.scrollTop = this.#lines.scrollHeight;
  }

  /** @param {string[]} names of some of those who watch @param {number} all how many do */
  #showNames(names, all) {
    const said = JSON.stringify([names, all]);
    if (said === this.#named) return;
    this.#named = said;
    const spectators = byId('spectators');
    spectators.hidden = !names.length;
    const links = names.flatMap((name, at) => [at ? ', ' : '', personLinkAside(name, true, false)]);
    const others = all - names.length;
    spectators.replaceChildren(...links, others > 0 ? ` ${t('round.others_watching', { n: others })}` : '');
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

// Whoever writes needs a name: asks the server for a guest's.

/** @returns {Promise<{id: string, name: string} | null>} null: the server could not be reached, or lets nobody in now */
export async function becomeGuest() {
  const answer = await request('/api/guest', 'POST');
  return answer?.ok ? answer.json() : null;
}

// The field for a chat message: one line, or between the players of a correspondence game a text with line breaks. Its
// template says how long it may be. What did not arrive comes back into it: nobody should have to write a page twice.

const MOST_ROWS = 6;
/** Once a message is as long as this part of the longest, the page shows how many characters are left. */
const NEARLY_FULL = 0.9;

class ChatField {
  #form = formById('chat-form');
  #field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (byId('chat-text'));
  #button = buttonById('chat-send');
  #left = document.getElementById('chat-left');
  #say;
  /** @type {'players' | 'watchers'} */
  #room = 'watchers';
  /** @type {Map<number, string>} messages by the number of their command, until they are answered */
  #sent = new Map();

  /** @param {(text: string) => Promise<number | null>} say the number of the command; null: it was not sent */
  constructor(say) {
    this.#say = say;
    onSubmit(this.#form, () => this.#send());
    if (!(this.#field instanceof HTMLTextAreaElement)) return;
    this.#field.addEventListener('input', () => this.#fit());
    this.#field.addEventListener('keydown', event => this.#key(/** @type {KeyboardEvent} */ (event)));
  }

  /** Players write more to each other than watchers do. @param {'players' | 'watchers'} room */
  setRoom(room) {
    if (room === this.#room) return;
    this.#room = room;
    if (!(this.#field instanceof HTMLTextAreaElement)) return;
    this.#button.title = room === 'players' ? t('round.send_keys') : '';
    this.#fit();
  }

  /** A command was done. @param {number} id */
  done(id) {
    this.#sent.delete(id);
  }

  /** A command was refused. @param {number} id */
  refused(id) {
    this.#takeBack([id]);
  }

  /** What was sent did not go out, or the connection is gone and with it the answers. */
  disconnected() {
    this.#takeBack([...this.#sent.keys()]);
  }

  /** Puts messages back, before what is being written now. @param {number[]} ids */
  #takeBack(ids) {
    const texts = ids.flatMap(id => this.#sent.get(id) ?? []);
    for (const id of ids) this.#sent.delete(id);
    const between = this.#field instanceof HTMLTextAreaElement ? '\n' : ' ';
    if (texts.length) this.#write([...texts, this.#field.value].filter(Boolean).join(between));
  }

  async #send() {
    const text = this.#field.value.trim();
    if (!text || this.#over > 0) return;
    const id = await this.#say(text);
    if (id === null) return;
    this.#sent.set(id, text);
    this.#write('');
  }

  /** @param {string} text */
  #write(text) {
    this.#field.value = text;
    this.#fit();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== 'Enter' || event.isComposing) return;
    if (this.#room === 'players' && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.#form.requestSubmit();
  }

  get #longest() {
    return Number(this.#field.dataset[this.#room] ?? Infinity);
  }

  /** By how many characters the text is too long, as the server counts them; below 0: how many more fit. */
  get #over() {
    return [...this.#field.value.trim()].length - this.#longest;
  }

  /** Makes the field as high as its text, up to a few lines, and says how much room is left. */
  #fit() {
    const field = this.#field;
    if (!(field instanceof HTMLTextAreaElement) || !this.#left) return;
    field.rows = 1;
    while (field.rows < MOST_ROWS && field.scrollHeight > field.clientHeight) field.rows += 1;
    const over = this.#over;
    this.#left.textContent = over > 0 ? t('round.characters_over', { n: over }) : this.#leftWords(-over);
    this.#left.classList.toggle('bad', over > 0);
    this.#button.disabled = over > 0;
  }

  /** @param {number} n */
  #leftWords(n) {
    return n > this.#longest * (1 - NEARLY_FULL) ? '' : t('round.characters_left', { n });
  }
}

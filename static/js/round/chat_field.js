/**
 * The field for a chat message: one line, or in a game of days a text with line breaks between the players. Its template
 * says how long it may be. What the server has refused comes back into it: nobody should have to write a page twice.
 */
import { t } from '../words.js';
import { buttonById, byId, element } from '../ui/dom.js';

const MOST_ROWS = 6;
/** From this part of the longest message on, the page shows how many characters are left. */
const NEARLY_FULL = 0.9;

export class ChatField {
  #form = element('chat-form', HTMLFormElement);
  #field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (byId('chat-text'));
  #button = buttonById('chat-send');
  #left = document.getElementById('chat-left');
  #say;
  /** @type {'players' | 'watchers'} */
  #room = 'watchers';
  /** @type {{id: number, text: string} | null} the message sent last, until it is answered */
  #sent = null;

  /** @param {(text: string) => Promise<number | null>} say the number of the command; null: it was not sent */
  constructor(say) {
    this.#say = say;
    this.#form.addEventListener('submit', event => {
      event.preventDefault();
      void this.#send();
    });
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

  /** @param {number | undefined} id */
  refused(id) {
    if (this.#sent?.id === id) this.disconnected();
  }

  /** @param {number} id */
  done(id) {
    if (this.#sent?.id === id) this.#sent = null;
  }

  disconnected() {
    if (this.#sent && !this.#field.value) this.#write(this.#sent.text);
    this.#sent = null;
  }

  async #send() {
    const text = this.#field.value.trim();
    if (!text || this.#over > 0) return;
    const id = await this.#say(text);
    if (id === null) return;
    this.#sent = { id, text };
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

  /** By how many characters the text is too long, counted as the server does; below 0: as many more may be written. */
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

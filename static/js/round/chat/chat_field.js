/**
 * The field for a chat message: one line, or between the players of a correspondence game a text with line breaks. Its
 * template says how long it may be. What did not arrive comes back into it: nobody should have to write a page twice.
 */
import { t } from '../../words.js';
import { buttonById, byId, formById, onSubmit } from '../../ui/dom.js';

const MOST_ROWS = 6;
/** Once a message is as long as this part of the longest, the page shows how many characters are left. */
const NEARLY_FULL = 0.9;

export class ChatField {
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

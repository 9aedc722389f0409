/**
 * The chat of those who watch the game that TV shows large; it goes along when TV turns to another. Loaded when somebody opens
 * it. Who plays that game is refused by the server, and told so.
 *
 * @import { ChatLine, GameOutbound, PresenceOut } from '../../net/wire.js'
 */
import { GameSocket } from '../../net/game_socket.js';
import { openWithPage } from '../../net/page_socket.js';
import { requestJson } from '../../net/requests.js';
import { becomeGuest, Chat } from '../../round/chat/conversation.js';
import { isBroken, refusalWords } from '../../round/words.js';
import { byId, formById, setText } from '../../ui/dom.js';
import { t } from '../../words.js';

/** As many lines as the server keeps of a game. */
const MOST_LINES = 50;

export class TvChat {
  #chat = new Chat(text => this.#say(text));
  #says = byId('tv-chat-says');
  /** The game whose chat is shown; '' for none. */
  #game = '';
  /** @type {GameSocket | null} */
  #socket = null;
  /** What has been heard of the game. */
  #epoch = '';
  #v = -1;
  /** @type {ChatLine[]} */
  #lines = [];
  /** @type {PresenceOut | null} */
  #presence = null;
  #named = false;

  constructor() {
    // The socket of one game is closed for that of the next; what a page does with its socket is done with the one of the moment.
    openWithPage({
      start: () => this.#socket?.start(),
      stop: within => this.#socket?.stop(within),
      wake: () => this.#socket?.wake(),
    });
    this.follow('');
  }

  /** @param {string} game the one that is shown large now; '' for none, or while nobody looks at the chat */
  follow(game) {
    if (game && game === this.#game) return;
    this.#socket?.stop();
    this.#socket = null;
    this.#game = game;
    [this.#epoch, this.#v, this.#lines, this.#presence] = ['', -1, [], null];
    this.#chat.field.disconnected();
    setText(this.#says, game ? '' : t('watch.chat_waits'));
    formById('chat-form').hidden = !game;
    this.#render();
    if (!game) return;
    const known = () => ({ id: game, epoch: this.#epoch, v: this.#v });
    const socket = new GameSocket(
      { known, watch: true },
      {
        // What still comes of the game before is not of this one.
        onMessage: message => socket === this.#socket && this.#receive(message),
        onState: state => {
          if (socket !== this.#socket) return;
          if (isBroken(state)) this.#chat.field.disconnected();
          setText(this.#says, isBroken(state) ? t('site.disconnected') : '');
        },
      },
    );
    this.#socket = socket;
    socket.start();
  }

  /** @param {GameOutbound} message */
  #receive(message) {
    if ('v' in message && message.v !== undefined) this.#v = message.v;
    switch (message.t) {
      case 'snapshot':
        this.#epoch = message.epoch;
        this.#lines = message.chat;
        break;
      case 'said':
        this.#lines = [...this.#lines, message.line].slice(-MOST_LINES);
        break;
      case 'crowd':
        this.#presence = message;
        break;
      case 'ok':
        this.#chat.field.done(message.id);
        setText(this.#says, '');
        return;
      case 'error':
        if (message.id !== undefined) this.#chat.field.refused(message.id);
        // Nothing can be said in a game that one plays.
        else formById('chat-form').hidden = true;
        setText(this.#says, refusalWords(message));
        return;
      default:
        return;
    }
    this.#render();
  }

  #render() {
    this.#chat.render({ you: null, chat: this.#lines, presence: this.#presence }, false);
  }

  /** @param {string} text @returns {Promise<number | null>} the number of the command; null: it was not sent */
  async #say(text) {
    const socket = this.#socket;
    if (!socket || !(await this.#hasName())) return null;
    return socket === this.#socket ? socket.send({ t: 'chat', text }) : null;
  }

  /** Whoever has no name yet becomes a guest with their first message, and is greeted anew. */
  async #hasName() {
    if (this.#named) return true;
    const known = await requestJson('/api/me').catch(() => null);
    if (!known?.id && !(await becomeGuest())) return false;
    if (!known?.id) await this.#socket?.greetAnew();
    this.#named = true;
    return true;
  }
}

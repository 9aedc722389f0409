/**
 * The socket of one game's page: greets the server with what the page knows of the game, and again when that is not
 * enough. Can tell snapshots from other messages, and knows nothing else of the game.
 *
 * @import { GameOutbound } from './wire.js'
 */
import { hi } from './messages.js';
import { openWithPage, socketAddress } from './page_socket.js';
import { allowReload, reloadOnce } from './reload.js';
import { Socket } from './socket.js';

export class GameSocket {
  #onMessage;
  /** @type {Socket<GameOutbound>} */
  #socket;
  /** A snapshot has arrived on this socket; the one in the page may be older, or made for the person before they signed in. */
  #greeted = false;
  /** @type {(() => void)[]} callers waiting for the next snapshot */
  #onSnapshot = [];

  /**
   * @param {object} options
   * @param {() => {id: string, epoch: string, v: number}} options.known   about the game
   * @param {() => string} options.secret   of the link by which the page was opened, '' without one
   * @param {(message: GameOutbound) => void} options.onMessage
   * @param {(state: import('./socket.js').ConnectionState) => void} options.onState
   * @param {() => void} options.onNotSent   as of Socket
   */
  constructor({ known, secret, onMessage, onState, onNotSent }) {
    this.#onMessage = onMessage;
    this.#socket = new Socket({
      url: socketAddress('/ws'),
      greeting: () => hi(known(), this.#greeted, secret()),
      onMessage: (/** @type {GameOutbound} */ message) => this.#receive(message),
      onState,
      onNotSent,
      reload: reloadOnce,
    });
  }

  get state() {
    return this.#socket.state;
  }

  open() {
    openWithPage(this.#socket);
  }

  /** @param {import('./messages.js').Command} command @returns {number | null} as Socket.send */
  send(command) {
    return this.#socket.send(command);
  }

  /** Asks for a whole snapshot, as the person this browser is now. @returns {Promise<void>} once it has arrived */
  greetAnew() {
    this.#greeted = false;
    this.#socket.restart();
    return new Promise(resolve => this.#onSnapshot.push(resolve));
  }

  /** @param {GameOutbound} message */
  #receive(message) {
    const whole = message.t === 'snapshot';
    if (whole) {
      this.#greeted = true;
      allowReload();
    }
    this.#onMessage(message);
    if (whole) for (const done of this.#onSnapshot.splice(0)) done();
  }
}

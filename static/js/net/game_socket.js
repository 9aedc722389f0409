/**
 * The socket of one game's page: greets the server with what the page knows of the game, and again when that is not
 * enough. Can tell snapshots from other messages, and knows nothing else of the game.
 *
 * @import { GameOutbound, Hi } from './wire.js'
 * @import { SocketOptions } from './socket.js'
 */
import { PROTOCOL } from './messages.js';
import { socketAddress } from './page_socket.js';
import { allowReload, reloadOnce } from './reload.js';
import { whyNoPlace } from './requests.js';
import { Socket } from './socket.js';

/** @extends {Socket<GameOutbound>} */
export class GameSocket extends Socket {
  /** Whether a snapshot has arrived here; the one in the page may be older, or made for the person before they signed in. */
  #hasSnapshot = false;
  /** @type {(() => void)[]} callers waiting for the next snapshot */
  #onSnapshot = [];

  /**
   * @param {object} options
   * @param {() => {id: string, epoch: string, v: number}} options.known   about the game
   * @param {() => string} [options.secret]   of the link by which the page was opened, '' without one
   * @param {boolean} [options.watch]   only to watch, from another page
   * @param {Pick<SocketOptions<GameOutbound>, 'onMessage' | 'onState' | 'onNotSent'>} listeners
   */
  constructor({ known, secret = () => '', watch = false }, listeners) {
    const path = `/ws?game=${known().id}`;
    super({
      ...listeners,
      // The greeting says which game it is. A proxy before several nodes reads it here, to bring both players together.
      url: socketAddress(path),
      whyNoPlace: () => whyNoPlace(path),
      greeting: () => ({ ...this.#greeting(known(), secret()), ...(watch && { watch: 1 }) }),
      onMessage: message => this.#receive(message, listeners.onMessage),
      reload: reloadOnce,
    });
  }

  /** Asks for a whole snapshot, as the person this browser is now. @returns {Promise<void>} once it has arrived */
  greetAnew() {
    this.#hasSnapshot = false;
    this.restart();
    return new Promise(resolve => this.#onSnapshot.push(resolve));
  }

  /** @param {{id: string, epoch: string, v: number}} known @param {string} secret @returns {Hi} */
  #greeting({ id, epoch, v }, secret) {
    const seen = this.#hasSnapshot ? { epoch, v } : { epoch: '', v: -1 };
    return { t: 'hi', proto: PROTOCOL, game: id, ...seen, ...(secret && { secret }) };
  }

  /** @param {GameOutbound} message @param {(message: GameOutbound) => void} onMessage */
  #receive(message, onMessage) {
    if (message.t !== 'snapshot') return onMessage(message);
    this.#hasSnapshot = true;
    allowReload();
    onMessage(message);
    for (const done of this.#onSnapshot.splice(0)) done();
  }
}

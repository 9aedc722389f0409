/**
 * The connection to the server: opens it, greets, keeps it alive, and reopens it.
 * Looks only at the tags of messages, and knows no game.
 *
 * Timing, in line with the server's defaults: a ping every 2.5 s; after 9 s without a word from the server the connection
 * counts as dead, and after 5 s if it keeps silent on a move; retries at once, then after 0.5, 1, 2, 4, 5 s, each +-50 % so that a crowd does not return in step.
 *
 * @import { Command } from './messages.js'
 * @typedef {import('./wire.js').GameInbound | import('./wire.js').LobbyInbound | import('./wire.js').TvInbound | import('./wire.js').StudyInbound | import('./wire.js').TournamentInbound} Inbound
 * @typedef {import('./wire.js').GameOutbound | import('./wire.js').LobbyOutbound | import('./wire.js').TvOutbound | import('./wire.js').StudyOutbound | import('./wire.js').TournamentOutbound} Outbound
 * @typedef {'connecting' | 'open' | 'down' | 'crowded' | 'restarting' | 'outdated' | 'refused' | 'deleted'} ConnectionState
 *   crowded: the server has no place for another connection at the moment, and has said why
 */

/**
 * @template {Outbound} Message
 * @typedef {object} SocketOptions
 * @property {string} url
 * @property {() => Inbound} greeting   first message on every connection
 * @property {(message: Message) => void} onMessage   all but pings and pongs
 * @property {(state: ConnectionState) => void} onState
 * @property {() => boolean} reload   reloads the page; false if that has been tried already
 * @property {() => Promise<string | null>} [whyNoPlace]   in words, why the server refuses a connection; null: it does not. A
 *   browser keeps to itself what a server answers instead of opening a socket.
 * @property {() => void} [onNotSent]   commands that waited for the first connection are dropped
 * @property {(url: string) => WebSocket} [connect]
 * @property {() => number} [now]   ms, monotonic
 * @property {() => number} [random]   0..1
 */
const PING_EVERY_MS = 2500;
const SILENCE_MS = 9000;
const PROBE_MS = 3000;
/** After so long without a word on a move the server is asked whether it is there. */
const MOVE_MS = 2000;
const BACK_OFF_MS = [0, 500, 1000, 2000, 4000, 5000];
const POLICY_BACK_OFF_MS = 5000;
/** As long as the server asks to wait (server: web/websocket/open_sockets). */
const CROWDED_BACK_OFF_MS = 30000;
/** After so many attempts that led to no connection, the server is asked why. */
const ASK_AFTER = 2;
/** The server's close codes for which retrying is no use. */
const BAD_PROTOCOL = 4400;
const SESSION_ENDED = 4401;
const POLICY = 1008;
/** Error codes that, unless they answer a command, mean that the game is not there, so retrying is no use. */
const NO_GAME = new Set(['deleted', 'no_game']);

/** @template {Outbound} Message */
export class Socket {
  #options;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {ConnectionState} */
  #state = 'connecting';
  /** Whether the server has been greeted on this connection, so that it accepts commands. */
  #greeted = false;
  #unanswered = new UnansweredCommands();
  #failures = 0;
  /** Why there is no place, in words, while the state is `crowded`. */
  reason = '';
  /** @type {number} ms over which the server asked clients to spread their return */
  #spread = 0;
  #heard = 0;
  #ticked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticker;

  /** @param {SocketOptions<Message>} options */
  constructor(options) {
    this.#options = {
      connect: (/** @type {string} */ url) => new WebSocket(url),
      now: () => performance.now(),
      random: Math.random,
      ...options,
    };
  }

  get state() {
    return this.#state;
  }

  start() {
    clearInterval(this.#ticker);
    this.#ticked = this.#options.now();
    this.#ticker = setInterval(() => this.#tick(), PING_EVERY_MS);
    this.#open();
  }

  /** The reader leaves the page; the others are told at once. @param {boolean} within for another page of this site */
  stop(within = false) {
    clearInterval(this.#ticker);
    clearTimeout(this.#retry);
    this.#write({ t: 'bye', ...(within && { within: 1 }) });
    this.#drop();
    this.#forgetEarly();
  }

  /** Greets the server on a new connection, perhaps as somebody else. */
  restart() {
    this.#failures = 0;
    clearTimeout(this.#retry);
    this.#drop();
    this.#open();
  }

  /** The page is visible again, or the network is back: finds out at once whether the connection is alive. */
  wake() {
    if (['down', 'crowded', 'restarting'].includes(this.#state)) this.restart();
    else if (this.#state === 'open') this.#probe();
  }

  /**
   * @param {Command} command
   * @returns {number | null} its id; null: it is not sent, because the connection is lost or being renewed. A move is always
   *   accepted, and sent as soon as the connection is back. Anything else waits only for the first connection of a page,
   *   because nothing on the page says that it has none yet.
   */
  send(command) {
    if (command.t === 'move' || (this.#greeted && this.#state === 'open')) {
      const numbered = this.#unanswered.add(command);
      if (this.#greeted) this.#write(numbered);
      if (command.t === 'move') this.#watch(numbered.id);
      return numbered.id;
    }
    return this.#state === 'connecting' ? this.#unanswered.addEarly(command) : null;
  }

  /** The connection did not come about: what was meant for that moment must not be said later, when all may be different. */
  #forgetEarly() {
    if (this.#unanswered.forgetEarly()) this.#options.onNotSent?.();
  }

  #open() {
    const socket = this.#options.connect(this.#options.url);
    this.#socket = socket;
    this.#heard = this.#options.now();
    socket.onopen = () => socket === this.#socket && this.#opened();
    socket.onmessage = event => socket === this.#socket && this.#received(JSON.parse(event.data));
    socket.onclose = event => socket === this.#socket && this.#closed(event.code);
  }

  #opened() {
    this.#heard = this.#options.now();
    this.#write(this.#options.greeting());
    this.#greeted = true;
    for (const command of this.#unanswered.takeForNew()) this.#write(command);
    this.#become('open');
  }

  /** @param {Outbound} message */
  #received(message) {
    this.#heard = this.#options.now();
    this.#failures = 0;
    switch (message.t) {
      case 'ping':
        return this.#write({ t: 'pong', p: message.p });
      case 'pong':
        return;
      case 'reload':
        return this.#outdated();
      case 'restart':
        this.#spread = message.within;
        return this.#become('restarting');
      case 'notice':
        return void document.dispatchEvent(new CustomEvent('site-notice', { detail: message }));
      case 'ok':
        this.#unanswered.answered(message.id);
        break;
      case 'error':
        if (message.id !== undefined) this.#unanswered.answered(message.id);
        else if (NO_GAME.has(message.code)) return this.#end('deleted');
        break;
    }
    this.#options.onMessage(/** @type {Message} */ (message));
  }

  /** @param {number} code */
  #closed(code) {
    const opened = this.#greeted;
    this.#drop();
    if (code === BAD_PROTOCOL) return this.#outdated();
    if (code === SESSION_ENDED) return this.#become('refused');
    if (this.#state === 'crowded') return this.#tryLater(CROWDED_BACK_OFF_MS);
    if (this.#state !== 'restarting') this.#become('down');
    this.#tryLater(code === POLICY ? POLICY_BACK_OFF_MS : 0);
    if (!opened && this.#failures === ASK_AFTER) void this.#askWhy();
  }

  async #askWhy() {
    const reason = await this.#options.whyNoPlace?.();
    if (!reason || this.#state !== 'down' || this.#greeted) return;
    this.reason = reason;
    this.#drop();
    this.#become('crowded');
    this.#tryLater(CROWDED_BACK_OFF_MS);
  }

  /** @param {number} least ms */
  #tryLater(least) {
    const { random } = this.#options;
    const delay = BACK_OFF_MS[Math.min(this.#failures++, BACK_OFF_MS.length - 1)] * (0.5 + random());
    const spread = this.#spread * random();
    this.#spread = 0;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), Math.max(least, delay) + spread);
  }

  /** The server speaks a newer protocol: reloads the page, unless that has not helped before. */
  #outdated() {
    if (this.#options.reload()) this.#drop();
    else this.#end('outdated');
  }

  /** Gives up for good. @param {ConnectionState} state */
  #end(state) {
    this.#drop();
    clearInterval(this.#ticker);
    this.#become(state);
  }

  #tick() {
    const now = this.#options.now();
    const slept = now - this.#ticked > 2 * PING_EVERY_MS;
    this.#ticked = now;
    if (!this.#socket) return;
    // A page in the background or on a computer that slept has not been listening: ask before hanging up.
    if (slept) this.#probe();
    else if (now - this.#heard > SILENCE_MS) this.#hangUp();
    else this.#write({ t: 'ping' });
  }

  /** Finds out soon whether the connection is alive by which a move goes. @param {number} id of the move */
  #watch(id) {
    const [sent, socket] = [this.#options.now(), this.#socket];
    setTimeout(() => {
      const silent = socket === this.#socket && this.#greeted && this.#heard <= sent;
      if (silent && this.#unanswered.has(id)) this.#probe();
    }, MOVE_MS);
  }

  #probe() {
    const asked = this.#options.now();
    const socket = this.#socket;
    this.#heard = Math.max(this.#heard, asked - SILENCE_MS + PROBE_MS);
    this.#write({ t: 'ping' });
    setTimeout(() => {
      if (socket && socket === this.#socket && this.#heard < asked) this.#hangUp();
    }, PROBE_MS);
  }

  #hangUp() {
    this.#drop();
    this.#become('down');
    this.#tryLater(0);
  }

  #drop() {
    this.#greeted = false;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** @param {Inbound} message */
  #write(message) {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  /** @param {ConnectionState} state */
  #become(state) {
    if (state === this.#state) return;
    this.#state = state;
    if (state !== 'crowded') this.reason = '';
    this.#forgetEarly();
    this.#options.onState(state);
  }
}

// The commands that the server has not answered yet. A move is sent again on every new connection; anything else only
// if it waits for the first one of a page, because later all may be different. Sends nothing itself.

/** Commands that wait for the first connection; nobody means to press more buttons than that. */
const MOST_EARLY = 8;

class UnansweredCommands {
  #lastId = 0;
  /** @type {Map<number, Command & {id: number}>} */
  #sent = new Map();
  /** @type {Map<string, number>} ids of commands, not moves, that wait for the first connection, by what they say */
  #early = new Map();

  /** @param {Command} command @returns {Command & {id: number}} with the id that the answer repeats */
  add(command) {
    const numbered = { ...command, id: ++this.#lastId };
    this.#sent.set(numbered.id, numbered);
    return numbered;
  }

  /** Keeps a command until the first connection is there, once however often it is given.
   * @param {Command} command @returns {number | null} its id; null: too many wait already */
  addEarly(command) {
    const key = JSON.stringify(command);
    const waiting = this.#early.get(key);
    if (waiting !== undefined) return waiting;
    if (this.#early.size === MOST_EARLY) return null;
    const { id } = this.add(command);
    this.#early.set(key, id);
    return id;
  }

  /** @param {number} id */
  has(id) {
    return this.#sent.has(id);
  }

  /** @param {number} id of a command that the server has answered */
  answered(id) {
    this.#sent.delete(id);
  }

  /** @returns {(Command & {id: number})[]} what a new connection sends first; anything else is let go */
  takeForNew() {
    const early = new Set(this.#early.values());
    this.#early.clear();
    for (const [id, command] of this.#sent) if (command.t !== 'move' && !early.has(id)) this.#sent.delete(id);
    return [...this.#sent.values()];
  }

  /** Lets go what waits for the first connection. @returns {boolean} whether anything did */
  forgetEarly() {
    const some = this.#early.size > 0;
    for (const id of this.#early.values()) this.#sent.delete(id);
    this.#early.clear();
    return some;
  }
}

/**
 * Stands in for the server at the board of a game that is played offline: takes the commands of its page one after the other,
 * and answers each as the server would, once what it changes is kept. Knows no element.
 *
 * @import { Side, Command } from '../net/messages.js'
 * @import { GameOutbound, Seat, Snapshot } from '../net/wire.js'
 * @import { ConnectionState } from '../net/socket.js'
 * @import { Happened, OfflineGame, Transition } from './game.js'
 * @import { KeptGames } from './kept_games.js'
 * @import { RulesBoard } from '../explain/rules_board.js'
 *
 * @typedef {object} Surroundings
 * @property {Pick<KeptGames, 'put' | 'remove'>} kept
 * @property {(game: OfflineGame) => RulesBoard} boardOf   where the game stands
 * @property {string} you   what the person is called
 * @property {(game: OfflineGame) => Promise<string | null>} rematch   keeps the next game; its address; null: there is no room
 * @property {() => number} now   ms since the epoch
 * @property {() => void} overtaken   the game has gone on elsewhere
 */
import { opposite } from '../board/variant.js';
import { PLIES_TO_ABORT, Refused, take } from './game.js';
import { isWorthKeeping } from './bringing.js';
import { Overtaken } from './kept_games.js';

export class LocalServer {
  /** Like a socket's: nothing is ever wrong with this connection. @type {ConnectionState} */
  state = 'open';
  #game;
  #board;
  #around;
  /** The draw that the person offers; the computer is asked again once it has answered. @type {number | null} */
  #offer = null;
  #v = 0;
  #refusedAt = -1;
  #lastId = 0;
  /** What was asked before, done or not. */
  #before = Promise.resolve();
  /** @type {(message: GameOutbound) => void} */
  #tell = () => {};

  /** @param {OfflineGame} game @param {Surroundings} around */
  constructor(game, around) {
    this.#game = game;
    this.#board = around.boardOf(game);
    this.#around = around;
  }

  /** As it is kept. */
  get game() {
    return this.#game;
  }

  /** Has the server refused it as it stands? It is not asked again until something has changed. */
  get isRefused() {
    return this.#refusedAt === this.#game.rev;
  }

  /** @param {OfflineGame} game as it is kept now, with the reason */
  refused(game) {
    this.#game = game;
    this.#refusedAt = game.rev;
  }

  /** @param {(message: GameOutbound) => void} tell */
  connect(tell) {
    this.#tell = tell;
    return this;
  }

  start() {}
  stop() {}
  wake() {}

  /** Sends the whole game again. */
  async greetAnew() {
    this.#tell(this.snapshot());
  }

  /** As a socket's. @param {Command} command @returns {number} its id */
  send(command) {
    const id = ++this.#lastId;
    this.inTurn(() => this.#carryOut(command, id));
    return id;
  }

  /** Does something with the game while no command is carried out. @param {() => Promise<void>} act */
  inTurn(act) {
    this.#before = this.#before.then(act);
    return this.#before;
  }

  /** @param {Command} command @param {number} id */
  async #carryOut(command, id) {
    try {
      if (command.t === 'offer' && command.kind === 'rematch' && this.#game.ended) return await this.#rematch(id);
      await this.#keep(take(this.#game, this.#offer, this.#board, command));
      this.#tell({ t: 'ok', id, v: this.#v });
    } catch (error) {
      if (error instanceof Overtaken) return this.#around.overtaken();
      // Nothing was kept, so nothing has happened.
      this.#board = this.#around.boardOf(this.#game);
      const { refusal, params } =
        error instanceof Refused
          ? { refusal: error.message, params: error.params }
          : { refusal: 'not_saved', params: {} };
      this.#tell({ t: 'error', id, code: refusal, message: refusal, refusal, params });
    }
  }

  /** @param {Transition} step */
  async #keep({ game, offer, happened }) {
    if (game !== this.#game) {
      const next = { ...game, rev: this.#game.rev + 1, played: this.#around.now(), refused: '' };
      await this.#around.kept.put(next);
      this.#game = next;
      if (next.ended && !isWorthKeeping(next)) await this.#around.kept.remove(next.id);
    }
    this.#offer = offer;
    for (const one of happened) this.#tell(this.#messageOf(one));
  }

  /** @param {number} id */
  async #rematch(id) {
    const next = await this.#around.rematch(this.#game);
    if (next === null) throw new Refused('too_many_offers');
    this.#tell({ t: 'ok', id, v: this.#v });
    this.#tell({ t: 'rematch', v: ++this.#v, next });
  }

  /** @param {Happened} happened @returns {GameOutbound} */
  #messageOf(happened) {
    const [v, { color, moves, ended }, { fen, check }] = [++this.#v, this.#game, this.#board];
    switch (happened.t) {
      case 'moved': {
        const [uci, san] = moves[happened.ply];
        return {
          t: 'moved',
          v,
          ply: happened.ply,
          uci,
          san,
          fen,
          ...(check && { check: 1 }),
          clock: {},
          ...this.#legal,
        };
      }
      case 'took_back':
        return { t: 'took_back', v, plies: moves.length, fen, check, clock: {}, ...this.#legal };
      case 'over':
        return { t: 'over', v, ended: /** @type {NonNullable<typeof ended>} */ (ended), clock: {} };
      case 'offered':
        return { t: 'offered', v, offer: happened.offer, kind: 'draw', by: color };
      case 'offer_closed':
        return { t: 'offer_closed', v, offer: happened.offer, kind: 'draw', how: happened.how };
    }
  }

  /** The legal moves, for the person. @returns {{legal?: string}} */
  get #legal() {
    const { color, ended } = this.#game;
    return ended || this.#board.turn !== color ? {} : { legal: this.#board.legal.join(' ') };
  }

  /** The whole game, as its page gets it first. @returns {Snapshot} */
  snapshot() {
    const { id, variant, chess960, startFen, color, level, moves, ended } = this.#game;
    const { fen, check, turn } = this.#board;
    /** @type {Record<Side, Seat>} */
    const seats = { white: {}, black: {} };
    seats[color] = { id: 'you', name: this.#around.you };
    seats[opposite(color)] = { id: '', name: `Computer (level ${level})`, level };
    return {
      ...{ t: 'snapshot', epoch: '', v: this.#v, game: id, variant, chess960, rated: false, you: color, ...seats },
      ...{ status: ended ? 'over' : 'live', start_fen: startFen, fen, check, turn, ...this.#legal },
      moves: moves.map(([uci, san]) => [uci, san, null]),
      ...{ clock: {}, initial: [null, null], increment: [0, 0], chat: [], invited: false },
      offers: this.#offer === null ? [] : [{ offer: this.#offer, kind: 'draw', by: color }],
      ...(ended && { ended }),
      can_abort: !ended && moves.length < PLIES_TO_ABORT,
    };
  }
}

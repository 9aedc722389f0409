/**
 * The games that this browser keeps until the server has them: in its own database, where pages and the service worker find
 * them. A change is written only over the state it was made from. Knows no page.
 *
 * @import { OfflineGame } from './game.js'
 */
const DATABASE = 'fairyhouse';
const GAMES = 'offline-games';
/** What the service worker tells pages when the server has taken or refused one of them. */
export const CHANGED = 'kept-games-changed';
/** More are not begun. */
export const MOST = 50;

/** The game is gone, or has gone on in another tab. */
export class Overtaken extends Error {}

export class KeptGames {
  /** @type {Promise<IDBDatabase> | null} */
  #opened = null;

  /** @returns {Promise<OfflineGame[]>} the last played first @throws {DOMException} this browser keeps nothing */
  async all() {
    const games = await this.#in('readonly', games => games.getAll());
    return games.sort((/** @type {OfflineGame} */ one, /** @type {OfflineGame} */ other) => other.played - one.played);
  }

  /** @param {string} id @returns {Promise<OfflineGame | undefined>} */
  find(id) {
    return this.#in('readonly', games => games.get(id));
  }

  /** Keeps a new game, once that is safe on the disk. @param {OfflineGame} game @returns {Promise<boolean>} false: there are too many */
  async add(game) {
    if ((await this.#in('readonly', games => games.count())) >= MOST) return false;
    await this.#in('readwrite', games => games.add(game));
    return true;
  }

  /** @param {OfflineGame} game with a `rev` one higher than that of the state which it replaces @throws {Overtaken} */
  async put(game) {
    let isNext = false;
    await this.#in('readwrite', games => {
      const asked = games.get(game.id);
      asked.onsuccess = () => {
        isNext = asked.result?.rev === game.rev - 1;
        if (isNext) games.put(game);
      };
      return asked;
    });
    if (!isNext) throw new Overtaken();
  }

  /** @param {string} id */
  async remove(id) {
    await this.#in('readwrite', games => games.delete(id));
  }

  /**
   * What is asked for, once it is written. @template Found @param {IDBTransactionMode} mode
   * @param {(games: IDBObjectStore) => IDBRequest<Found>} ask @returns {Promise<Found>}
   */
  async #in(mode, ask) {
    this.#opened ??= open();
    const transaction = (await this.#opened).transaction(GAMES, mode, { durability: 'strict' });
    const asked = ask(transaction.objectStore(GAMES));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }
}

/** @returns {Promise<IDBDatabase>} */
function open() {
  const asked = indexedDB.open(DATABASE, 1);
  return new Promise((resolve, reject) => {
    asked.onupgradeneeded = () => asked.result.createObjectStore(GAMES, { keyPath: 'id' });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/**
 * The part of the site that a browser runs beside its pages, even while none is open. It shows pushed messages as
 * notifications; while offline it shows a page that says so, and lets the computer be played; and it brings such games to
 * the server. It never shows an old answer of the server as if it were new.
 *
 * @import { OfflineGame } from './offline/game.js'
 */
import { CHANGED, KeptGames } from './offline/kept_games.js';
import { KeptPages } from './worker/kept_pages.js';
import { answerOffline } from './worker/offline.js';
import { listenForPushes } from './worker/push.js';
import { bring, isWorthKeeping } from './offline/bringing.js';

/**
 * Brings games that were played offline to the server, once a page has come from there: those whose board is open nowhere,
 * which brings its own.
 */
class GamesToBring {
  #kept;
  #locks;
  #send;
  #changed;
  /** @type {Promise<void> | null} */
  #bringing = null;

  /** @param {KeptGames} kept @param {LockManager | undefined} locks @param {typeof fetch} send
   * @param {() => unknown} changed called when the server has taken or refused a game */
  constructor(kept, locks, send, changed) {
    this.#kept = kept;
    this.#locks = locks;
    this.#send = send;
    this.#changed = changed;
  }

  /** Brings what it can; the rest waits for the next time. */
  bringAll() {
    this.#bringing ??= this.#bringEach()
      .catch(() => {})
      .finally(() => {
        this.#bringing = null;
      });
    return this.#bringing;
  }

  async #bringEach() {
    for (const game of await this.#kept.all()) {
      if (!isWorthKeeping(game) || game.refused) continue;
      if ((await this.#bringUnlessOpen(game)) === 'later') return;
      await this.#changed();
    }
  }

  /** @param {OfflineGame} game */
  async #bringUnlessOpen(game) {
    const act = () => bring(game, this.#kept, this.#send, Date.now());
    if (!this.#locks) return act();
    return this.#locks.request(`offline-game-${game.id}`, { ifAvailable: true }, lock => (lock ? act() : 'there'));
  }
}

const worker = /** @type {any} */ (self);
const games = new GamesToBring(new KeptGames(), navigator.locks, (path, options) => fetch(path, options), tellPages);
listenForPushes(worker);
answerOffline(worker, new KeptPages(worker, Date.now), () => games.bringAll());

async function tellPages() {
  for (const page of await worker.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    page.postMessage(CHANGED);
}

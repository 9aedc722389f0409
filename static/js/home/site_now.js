/**
 * What happens on the site just now, on the front page: how many people are here, how many games are played, and the best
 * of them, or the last one that was finished. Asked for again while somebody looks.
 *
 * @import { TriedVariant } from './try_board.js'
 * @import { Board } from '../net/wire.js'
 * @typedef {Omit<Board, 'clock' | 'watchers'> & Partial<Board> & {result?: string}} ShownGame   result: of a finished game
 * @typedef {{people: number, playing: number, board: ShownGame | null, last: ShownGame | null}} Now
 */
import { requestJson } from '../net/requests.js';
import { TvGame } from '../tv/tv_game.js';
import { byId } from '../ui/dom.js';
import { t } from '../words.js';

const AGAIN_MS = 10_000;
/** The server looks anew for whoever asks so long after the last who has asked. */
const SOON_MS = 2_500;
const TICK_MS = 500;

export class SiteNow {
  #variants;
  #id = '';
  /** @type {TvGame | null} */
  #game = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #soon;

  /** @param {(TriedVariant & {name: string})[]} variants */
  constructor(variants) {
    this.#variants = variants;
    setInterval(() => this.#game?.tick(), TICK_MS);
    setInterval(() => {
      if (!document.hidden) void this.look();
    }, AGAIN_MS);
  }

  /** Somebody has come or gone: looks once for all that happens at about the same time. */
  soon() {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.look();
    }, SOON_MS);
  }

  /** Says nothing if the server does not answer. @returns {Promise<void>} */
  async look() {
    /** @type {Now | null} */
    const now = await requestJson('/api/now').catch(() => null);
    if (!now) return;
    byId('people-here').textContent = String(now.people);
    byId('now').classList.toggle('known', now.people > 0);
    byId('games-on').textContent = now.playing ? String(now.playing) : '';
    byId('live-game').classList.toggle('runs', !!now.board);
    this.#show(now.board ?? now.last);
  }

  /** @param {ShownGame | null} shown */
  #show(shown) {
    const variant = this.#variants.find(({ id }) => id === shown?.variant);
    byId('live-none').hidden = !!variant;
    byId('live-title').textContent = t(shown?.result ? 'home.last_game' : 'home.on_the_board');
    if (!shown || !variant) {
      this.#id = '';
      return byId('live-game').replaceChildren();
    }
    const known = { clock: {}, watchers: 0, ...shown };
    const id = `${shown.game} ${shown.result ?? ''}`;
    if (this.#game && this.#id === id) return shown.result ? undefined : this.#game.moved(known);
    this.#id = id;
    this.#game = new TvGame(known, variant);
    if (shown.result) this.#game.over(shown.result, known.clock);
    byId('live-game').replaceChildren(this.#game.element);
  }
}

/**
 * The moves of the game that TV shows large, and a look back through them, while the game goes on. What was played before the
 * page came to the game is in its JSON, asked for once; what comes after is in what TV shows. Knows no socket.
 *
 * @import { TvGame } from './tv_game.js'
 * @typedef {{uci: string, san: string, fen: string}} Played   fen: the position after it
 */
import { halfMovesBefore } from '../board/position.js';
import { requestJson } from '../net/requests.js';
import { buttonById, byId, create, revealIn } from '../ui/dom.js';
import { onKeys } from '../ui/keys.js';

export class TvMoves {
  #list = byId('tv-moves');
  #prev = buttonById('tv-prev');
  #next = buttonById('tv-next');
  #toGame = buttonById('tv-to-game');
  #id = '';
  /** @type {TvGame | null} */
  #game = null;
  #startFen = '';
  /** @type {Played[] | null} null: not known yet */
  #plies = null;
  /** The game whose moves are on their way. */
  #asked = '';
  /** How many half-moves the board shows. @type {number | null} null: the latest position, whatever is played */
  #ply = null;

  constructor() {
    const steps = /** @type {const} */ ([
      [this.#prev, 'ArrowLeft', -1],
      [this.#next, 'ArrowRight', 1],
      [this.#toGame, 'End', Infinity],
    ]);
    for (const [button, , by] of steps) button.addEventListener('click', () => this.#step(by));
    onKeys(Object.fromEntries(steps.map(([, key, by]) => [key, () => this.#step(by)])));
    onKeys({ Home: () => this.#step(-Infinity) });
    this.#list.addEventListener('click', event => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (button) this.#goTo(Number(button.dataset.ply));
    });
    this.#render();
  }

  /** @param {string} id of the game that is large now, '' for none @param {TvGame | null} game */
  follow(id, game) {
    if (game === this.#game) return;
    this.#game?.lookAt(null);
    [this.#id, this.#game, this.#plies, this.#ply, this.#asked] = [id, game, null, null, ''];
    this.#render();
    if (game) void this.#load();
  }

  /** The large game shows another position. */
  moved() {
    // What could not be had before is asked for again.
    if (!this.#plies || !this.#takeLast(this.#plies)) void this.#load();
    this.#render();
  }

  async #load() {
    const id = this.#id;
    if (this.#asked === id) return;
    this.#asked = id;
    /** @type {{start_fen: string, moves: Played[]} | null} */
    const found = await requestJson(`/api/games/${id}`).catch(() => null);
    if (id !== this.#id) return;
    this.#asked = '';
    if (!found) return;
    this.#startFen = found.start_fen;
    this.#plies = found.moves;
    // What has come meanwhile; if that was more than a move, the next one asks again.
    this.#takeLast(found.moves);
    this.#render();
  }

  /** Brings the list to the position that TV shows. @param {Played[]} plies @returns {boolean} false: moves are missing in between */
  #takeLast(plies) {
    const { fen, last, san } = /** @type {TvGame} */ (this.#game).latest;
    const played = halfMovesBefore(fen) - halfMovesBefore(this.#startFen);
    // Moves can be taken back, and others made.
    if (last && san && plies.length >= played - 1 && plies[played - 1]?.fen !== fen)
      plies.splice(played - 1, Infinity, { uci: last, san, fen });
    plies.length = Math.min(plies.length, played);
    return plies.length === played;
  }

  /** @param {number} by half-moves; infinite: to the start or the end */
  #step(by) {
    if (this.#plies) this.#goTo((this.#ply ?? this.#plies.length) + by);
  }

  /** @param {number} ply limited to what was played; the last one follows the game */
  #goTo(ply) {
    // Alone on a screen, a game is seen as it is.
    if (!this.#plies || document.body.classList.contains('tv-alone')) return;
    this.#ply = ply >= this.#plies.length ? null : Math.max(0, ply);
    this.#render();
  }

  #render() {
    const plies = this.#plies ?? [];
    const ply = Math.min(this.#ply ?? plies.length, plies.length);
    const back = ply < plies.length;
    if (!back) this.#ply = null;
    this.#renderList(plies, ply);
    this.#game?.lookAt(back ? { fen: plies[ply - 1]?.fen ?? this.#startFen, last: plies[ply - 1]?.uci } : null);
    const focused = document.activeElement;
    this.#prev.disabled = ply === 0;
    this.#next.disabled = !back;
    this.#toGame.hidden = !back;
    // The button that was pressed last may be of no use now.
    if (focused === this.#next && !back) this.#prev.focus();
    if (focused === this.#prev && ply === 0) this.#next.focus();
    if (focused === this.#toGame && !back) this.#prev.focus();
  }

  /** @param {Played[]} plies @param {number} shown */
  #renderList(plies, shown) {
    const before = plies.length ? halfMovesBefore(this.#startFen) : 0;
    while (this.#list.children.length > plies.length) this.#list.lastElementChild?.remove();
    for (const [index, { san }] of plies.entries()) {
      const half = index + before;
      const number = half % 2 === 0 ? `${half / 2 + 1}.` : index === 0 ? `${(half + 1) / 2}…` : '';
      const item = this.#list.children[index] ?? this.#list.appendChild(create('li', 'ply', create('button', '')));
      const button = /** @type {HTMLButtonElement} */ (item.firstElementChild);
      button.type = 'button';
      if (button.textContent !== san) button.textContent = san;
      button.dataset.ply = String(index + 1);
      if (number) /** @type {HTMLElement} */ (item).dataset.no = number;
      const current = index + 1 === shown;
      if (current === button.hasAttribute('aria-current')) continue;
      if (current) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    const current = this.#list.querySelector('[aria-current]');
    if (current instanceof HTMLElement) revealIn(this.#list, current);
    else this.#list.scrollTo(0, 0);
  }
}

/**
 * The list of moves, with the buttons that step through it. Reports which half-move is wanted, and decides nothing.
 *
 * @import { GameState } from '../../game/model.js'
 */
import { halfMovesBefore } from '../../board/position.js';
import { shortTime } from '../../game/clock.js';
import { timeTaken } from '../../game/replay.js';
import { buttonById, byId, create, revealIn } from '../../ui/dom.js';

export class MoveList {
  #list = byId('move-list');
  #steps = { prev: buttonById('nav-prev'), next: buttonById('nav-next') };
  /** @type {string[]} SANs in the list */
  #shown = [];

  /** @param {(ply: number) => void} goTo @param {(by: number) => void} step */
  constructor(goTo, step) {
    this.#steps.prev.addEventListener('click', () => step(-1));
    this.#steps.next.addEventListener('click', () => step(1));
    // Notices that appear or vanish resize the list, and the engine's place pushes it down; the shown move stays in sight.
    const resized = new ResizeObserver(() => this.#revealCurrent());
    for (const each of [...this.#views, byId('engine')]) resized.observe(each);
    this.#list.addEventListener('click', event => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (button) goTo(Number(button.dataset.ply));
    });
  }

  /** @param {GameState} state @param {number} ply how many half-moves the board shows */
  render(state, ply) {
    this.#renderMoves(state);
    for (const button of this.#list.querySelectorAll('button')) {
      const current = Number(button.dataset.ply) === ply;
      if (current === button.hasAttribute('aria-current')) continue;
      if (current) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
      if (current) this.#reveal(button);
    }
    const last = state.plies.length;
    this.#steps.prev.disabled = ply === 0;
    this.#steps.next.disabled = ply === last;
  }

  /** @param {GameState} state */
  #renderMoves(state) {
    const sans = state.plies.map(({ san }) => san);
    let same = 0;
    while (same < sans.length && sans[same] === this.#shown[same]) same++;
    while (this.#list.children.length > same) this.#list.lastElementChild?.remove();
    const before = halfMovesBefore(state.startFen);
    for (let ply = same; ply < sans.length; ply++) {
      const button = Object.assign(create('button', '', sans[ply]), { type: 'button' });
      button.dataset.ply = String(ply + 1);
      const item = create('li', 'ply', button);
      const taken = timeTaken(state, ply);
      if (taken !== null) item.append(Object.assign(create('small', '', shortTime(taken)), { ariaHidden: 'true' }));
      const half = ply + before;
      if (half % 2 === 0) item.dataset.no = String(half / 2 + 1);
      else if (ply === 0) item.dataset.lone = '';
      this.#list.append(item);
    }
    this.#shown = sans;
  }

  #revealCurrent() {
    const current = /** @type {HTMLElement | null} */ (this.#list.querySelector('[aria-current]'));
    if (current) this.#reveal(current);
  }

  /** @param {HTMLElement} button */
  #reveal(button) {
    for (const view of this.#views) revealIn(view, button);
  }

  /** What scrolls: the list, and where it has too little room what is around it. */
  get #views() {
    return [this.#list, ...[this.#list.parentElement, byId('moves')].filter(each => each !== null)];
  }
}

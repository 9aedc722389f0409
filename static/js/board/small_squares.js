/**
 * A board whose squares are smaller than a finger: the square below the finger is named, a loupe shows
 * what the finger covers while it slides, and a piece that is picked up goes to the square on which the finger is lifted.
 *
 * @import { Board } from './board.js'
 * @import { Variant } from './variant.js'
 */
import { toXY } from './geometry.js';
import { Loupe } from './loupe.js';

/** Up to this size squares are small. */
const SMALL_PX = 36;
/** From here on a finger slides. */
const SLACK_PX = 6;

export class SmallSquares {
  #element;
  #board;
  #variant;
  #named;
  #loupe = new Loupe();
  #small = false;

  /**
   * @param {HTMLElement} element the board's @param {Board} board @param {Variant} variant
   * @param {(square: string | null) => void} named the square below a finger; null: none
   */
  constructor(element, board, variant, named) {
    this.#element = element;
    this.#board = board;
    this.#variant = variant;
    this.#named = named;
    new ResizeObserver(() => {
      this.#small = this.#side > 0 && this.#side <= SMALL_PX;
      element.classList.toggle('small-squares', this.#small);
    }).observe(element);
    element.addEventListener('touchstart', event => this.#touched(event), { capture: true, passive: false });
  }

  get #side() {
    return this.#element.clientWidth / this.#variant.files;
  }

  /** @param {TouchEvent} event */
  #touched(event) {
    const square = this.#squareAt(event.touches[0]);
    const { target } = event;
    // What lies over the squares, like a choice, is no square.
    const onSquares = target instanceof Element && target.closest('.cg-wrap');
    if (!this.#small || event.touches.length > 1 || !square || !onSquares) return;
    // The library would make the move at once.
    const aims = this.#board.isHolding && this.#board.position.pieces.get(square)?.color !== this.#board.side;
    if (aims) {
      event.preventDefault();
      event.stopPropagation();
    }
    this.#named(square);
    this.#followFinger(target, event.touches[0], aims);
  }

  /** Until it is lifted. @param {EventTarget} target to which the touch belongs @param {Touch} start @param {boolean} aims */
  #followFinger(target, start, aims) {
    const lifted = new AbortController();
    const { signal } = lifted;
    let slides = false;
    const stop = () => {
      lifted.abort();
      this.#loupe.hide();
      this.#named(null);
    };
    const moved = (/** @type {Touch} */ finger) => {
      const far = Math.hypot(finger.clientX - start.clientX, finger.clientY - start.clientY);
      slides ||= far > SLACK_PX && (aims || this.#board.isHolding);
      if (slides) this.#slide(finger);
    };
    // On the target itself: the library may have taken it off the page by then.
    target.addEventListener('touchmove', event => moved(/** @type {TouchEvent} */ (event).touches[0]), { signal });
    target.addEventListener('touchcancel', stop, { signal });
    target.addEventListener(
      'touchend',
      event => {
        const square = this.#squareAt(/** @type {TouchEvent} */ (event).changedTouches[0]);
        stop();
        if (aims && square) this.#board.select(square);
      },
      { signal },
    );
  }

  /** @param {Touch} finger */
  #slide(finger) {
    const square = this.#squareAt(finger);
    this.#named(square);
    if (!square) return this.#loupe.hide();
    const squares = /** @type {HTMLElement} */ (this.#element.querySelector('cg-board'));
    const { left, bottom } = squares.getBoundingClientRect();
    const [x, y] = toXY(square);
    const { files, ranks } = this.#variant;
    const [right, up] = this.#board.orientation === 'white' ? [x, y] : [files - 1 - x, ranks - 1 - y];
    const middle = { x: left + (right + 0.5) * this.#side, y: bottom - (up + 0.5) * this.#side };
    this.#loupe.show(squares, { x: finger.clientX, y: finger.clientY }, square, middle, this.#side);
  }

  /** @param {Touch} finger */
  #squareAt({ clientX, clientY }) {
    return this.#board.squareAt(clientX, clientY);
  }
}

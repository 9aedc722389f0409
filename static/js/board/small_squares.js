/**
 * A board whose squares are smaller than a finger: the square below the finger is named, a loupe shows
 * what the finger covers while it slides, and a piece that is picked up goes to the square on which the finger is lifted.
 *
 * @import { Board } from './board.js'
 * @import { Variant } from './variant.js'
 * @typedef {{x: number, y: number}} Point   px, in the window
 */
import { toXY } from './geometry.js';

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

// What a finger covers on small squares: nine of them, drawn large beside it. Shows the board as it is at that moment, and
// changes nothing there.

/** The side of a square in the loupe. */
const SQUARE_PX = 56;
const SIDE_PX = 3 * SQUARE_PX;
/** Between the loupe and the middle of the finger. */
const GAP_PX = 36;
const EDGE_PX = 4;

/**
 * Above the finger; where there is no room, beside it; and below it where there is none at all.
 * @param {Point} finger @param {{width: number}} room the window
 * @returns {Point} the top left corner
 */
export function loupePlace({ x, y }, { width }) {
  const within = (/** @type {number} */ left) => Math.max(EDGE_PX, Math.min(left, width - SIDE_PX - EDGE_PX));
  const above = y - GAP_PX - SIDE_PX;
  if (above >= EDGE_PX) return { x: within(x - SIDE_PX / 2), y: above };
  const beside = within(x < width / 2 ? x + GAP_PX : x - GAP_PX - SIDE_PX);
  const isFree = beside >= x + EDGE_PX || beside + SIDE_PX <= x - EDGE_PX;
  if (isFree) return { x: beside, y: Math.max(EDGE_PX, y - SIDE_PX / 2) };
  return { x: within(x - SIDE_PX / 2), y: y + GAP_PX };
}

export class Loupe {
  #element = document.createElement('div');
  /** @type {string | null} the square in its middle */
  #square = null;

  constructor() {
    this.#element.className = 'loupe';
    this.#element.setAttribute('aria-hidden', 'true');
  }

  /**
   * @param {HTMLElement} squares the element of the board library with pieces and marks
   * @param {Point} finger @param {string} square below it @param {Point} middle of that square @param {number} side of a square, px
   */
  show(squares, finger, square, middle, side) {
    const container = /** @type {HTMLElement} */ (squares.parentElement);
    if (!this.#element.isConnected) container.append(this.#element);
    const place = loupePlace(finger, { width: innerWidth });
    const origin = container.getBoundingClientRect();
    this.#element.style.left = `${place.x - origin.left}px`;
    this.#element.style.top = `${place.y - origin.top}px`;
    if (square === this.#square) return;
    this.#square = square;
    this.#element.replaceChildren(this.#copy(squares, { x: middle.x - origin.left, y: middle.y - origin.top }, side));
  }

  hide() {
    this.#square = null;
    this.#element.remove();
  }

  /** @param {HTMLElement} squares @param {Point} middle on the board @param {number} side */
  #copy(squares, middle, side) {
    const copy = /** @type {HTMLElement} */ (squares.cloneNode(true));
    copy.querySelector('.dragging')?.remove();
    const zoom = SQUARE_PX / side;
    const { offsetWidth, offsetHeight } = squares;
    Object.assign(copy.style, { inset: '0 auto auto 0', width: `${offsetWidth}px`, height: `${offsetHeight}px` });
    copy.style.transform = `translate(${SIDE_PX / 2 - middle.x * zoom}px, ${SIDE_PX / 2 - middle.y * zoom}px) scale(${zoom})`;
    return copy;
  }
}

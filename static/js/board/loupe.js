/**
 * What a finger covers on small squares: nine of them, drawn large beside it. Shows the board as it is at that moment, and
 * changes nothing there.
 *
 * @typedef {{x: number, y: number}} Point   px, in the window
 */

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

/**
 * The board on which a position is set up: a button for each square, for mouse, finger and keyboard. A tool says what a press
 * does: move pieces (drag, or press twice), put one, or take away; put and take also go on while the pointer is drawn over
 * squares. Knows no rule and no form.
 *
 * @import { Piece } from '../board/position.js'
 * @import { Variant } from '../board/variant.js'
 * @import { EditedPosition } from './edited_position.js'
 *
 * @typedef {object} Acts
 * @property {() => boolean} draws   whether the tool acts on each square that the pointer comes to
 * @property {(square: string) => void} act   the tool, on a square
 * @property {(from: string, to: string | null) => void} move   null: off the board
 */
import { toSquare, toXY } from '../board/geometry.js';
import { formatBoard, isDisguised } from '../board/position.js';
import { smallBoard } from '../board/small_board.js';
import { pieceWords } from '../board/variant.js';
import { create, createButton } from '../ui/dom.js';
import { t } from '../words.js';

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
});

/** "white queen", and if it is a promoted pawn, that. @param {Variant} variant @param {Piece} piece */
export function wordsOf(variant, piece) {
  const words = pieceWords(variant, piece);
  return isDisguised(piece) ? t('editor.promoted', { piece: words }) : words;
}

export class EditingBoard {
  #variant;
  #acts;
  #place;
  #squares;
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {EditedPosition | null} */
  #position = null;
  /** The square of the piece that is held. @type {string | null} */
  #held = null;
  #last = '';

  /** @param {HTMLElement} place in an element that `styleBoard` has prepared @param {Variant} variant @param {Acts} acts */
  constructor(place, variant, acts) {
    this.#variant = variant;
    this.#acts = acts;
    this.#place = create('div', 'editor-pieces');
    this.#squares = create('div', 'editor-squares');
    for (let y = variant.ranks - 1; y >= 0; y--)
      for (let x = 0; x < variant.files; x++) this.#addSquare(toSquare(x, y));
    place.replaceChildren(this.#place, this.#squares);
    this.#squares.addEventListener('pointerdown', event => this.#press(event));
    this.#squares.addEventListener('pointermove', event => this.#drag(event));
    this.#squares.addEventListener('pointerup', event => this.#release(event));
    this.#squares.addEventListener('keydown', event => this.#walk(event));
  }

  /** @param {EditedPosition} position */
  show(position) {
    this.#position = position;
    this.#place.replaceChildren(smallBoard(formatBoard(this.#variant, position), this.#variant));
    for (const [square, button] of this.#buttons) {
      const piece = position.pieces.get(square);
      const words = piece && wordsOf(this.#variant, piece);
      button.ariaLabel = words ? t('board.on_square', { square, piece: words }) : t('board.empty', { square });
    }
    this.#mark();
  }

  /** Puts back what is held. */
  letGo() {
    this.#held = null;
    this.#mark();
  }

  /** @param {string} square */
  #addSquare(square) {
    const button = createButton('', () => {});
    // The pointer has events of its own; the others are the keyboard's and those of assistive technology.
    button.addEventListener('click', event => event.detail || this.#choose(square));
    button.tabIndex = this.#buttons.size ? -1 : 0;
    button.dataset.square = square;
    this.#buttons.set(square, button);
    this.#squares.append(button);
  }

  /** @param {string} square */
  #choose(square) {
    if (this.#acts.draws()) return this.#acts.act(square);
    const from = this.#held;
    if (from === null) this.#held = this.#position?.pieces.has(square) ? square : null;
    else {
      this.#held = null;
      this.#acts.move(from, square);
    }
    this.#mark();
  }

  #mark() {
    for (const [square, button] of this.#buttons) button.setAttribute('aria-pressed', String(square === this.#held));
  }

  /** @param {PointerEvent} event @returns {string | null} null: beside the board */
  #squareAt({ clientX, clientY }) {
    const { left, top, width, height } = this.#squares.getBoundingClientRect();
    const x = Math.floor(((clientX - left) / width) * this.#variant.files);
    const y = Math.floor(((top + height - clientY) / height) * this.#variant.ranks);
    const on = x >= 0 && y >= 0 && x < this.#variant.files && y < this.#variant.ranks;
    return on ? toSquare(x, y) : null;
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const square = this.#squareAt(event);
    if (event.button !== 0 || !square) return;
    this.#squares.setPointerCapture(event.pointerId);
    this.#last = square;
    this.#choose(square);
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const square = this.#squareAt(event);
    if (!this.#squares.hasPointerCapture(event.pointerId)) return;
    if (this.#held) return this.#carry(event);
    if (!square || square === this.#last || !this.#acts.draws()) return;
    this.#last = square;
    this.#acts.act(square);
  }

  /** The held piece goes under the pointer. @param {PointerEvent} event */
  #carry({ clientX, clientY }) {
    const [x, y] = toXY(/** @type {string} */ (this.#held));
    const { left, top, width, height } = this.#squares.getBoundingClientRect();
    const { files, ranks } = this.#variant;
    const pieces = [.../** @type {NodeListOf<HTMLElement>} */ (this.#place.querySelectorAll('piece'))];
    const piece = pieces.find(
      ({ style }) => style.left === `${(x * 100) / files}%` && style.bottom === `${(y * 100) / ranks}%`,
    );
    if (!piece) return;
    piece.classList.add('carried');
    const across = clientX - left - ((x + 0.5) * width) / files;
    const down = clientY - top - ((ranks - y - 0.5) * height) / ranks;
    piece.style.transform = `translate(${across}px, ${down}px)`;
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const [from, to] = [this.#held, this.#squareAt(event)];
    // Where it was pressed it stays held, and the next square that is pressed gets it.
    if (!from || to === this.#last) return;
    this.#held = null;
    this.#acts.move(from, to);
    this.#mark();
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    const [dx, dy] = ARROWS[event.key] ?? [];
    const here = event.target instanceof HTMLElement ? event.target.dataset.square : undefined;
    if (dx === undefined || dy === undefined || !here) return;
    event.preventDefault();
    const [x, y] = toXY(here);
    const next = this.#buttons.get(toSquare(x + dx, y + dy));
    if (!next) return;
    for (const button of this.#buttons.values()) button.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

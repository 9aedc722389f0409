/**
 * A layer over the squares for marks that the board library lacks: the squares that win, those that a piece reaches, those
 * of pieces that may let another in, and the keyboard's cursor. Positions are percentages, so that the layer fits the board
 * at any size.
 */
import { toXY } from './geometry.js';

export class Overlay {
  #size;
  #whiteBelow;
  #element = document.createElement('div');
  /** @type {[string, string][]} square and class of each mark */
  #reach = [];
  /** @type {string | null} */
  #cursor = null;
  /** @type {[string, string][]} square and class of each mark */
  #gates = [];

  /**
   * @param {{files: number, ranks: number, goals?: string[]}} size
   * @param {() => boolean} whiteBelow whether White is at the bottom now
   */
  constructor(size, whiteBelow) {
    this.#size = size;
    this.#whiteBelow = whiteBelow;
    this.#element.className = 'overlay';
    this.#element.setAttribute('aria-hidden', 'true');
  }

  /** @param {import('./piece_reach.js').PieceReach | null} reach */
  showReach(reach) {
    if (!reach && !this.#reach.length) return;
    this.#reach = (reach?.squares ?? []).map(square => [
      square,
      reach?.captures.includes(square) ? 'square-reach capture' : 'square-reach',
    ]);
    if (reach?.start) this.#reach.push([reach.start, 'square-reach start']);
    this.#draw();
  }

  /** @param {string | null} square */
  showCursor(square) {
    this.#cursor = square;
    this.#draw();
  }

  /**
   * @param {string[]} squares of pieces that may still let one of their pocket in
   * @param {string[]} ready those behind which the piece that was taken first can enter
   * @param {string | null} bound the one behind which it will
   */
  showGates(squares, ready, bound) {
    const plain = squares.filter(square => square !== bound && !ready.includes(square));
    this.#gates = [
      ...plain.map(square => /** @type {[string, string]} */ ([square, 'square-gate'])),
      ...ready.map(square => /** @type {[string, string]} */ ([square, 'square-gate ready'])),
    ];
    if (bound) this.#gates.push([bound, 'square-gate bound']);
    this.#draw();
  }

  /** The library has recreated its elements. @param {HTMLElement} container */
  attach(container) {
    container.append(this.#element);
    this.#draw();
  }

  #draw() {
    const marks = [...this.#gates, ...this.#reach].map(([square, className]) => this.#mark(square, className));
    for (const square of this.#size.goals ?? []) marks.push(this.#mark(square, 'square-goal'));
    if (this.#cursor) marks.push(this.#mark(this.#cursor, 'square-cursor'));
    this.#element.replaceChildren(...marks);
  }

  /** @param {string} square @param {string} className */
  #mark(square, className) {
    const { files, ranks } = this.#size;
    const [x, y] = toXY(square);
    const node = document.createElement('i');
    node.className = className;
    node.style.left = `${((this.#whiteBelow() ? x : files - 1 - x) * 100) / files}%`;
    node.style.top = `${((this.#whiteBelow() ? ranks - 1 - y : y) * 100) / ranks}%`;
    return node;
  }
}

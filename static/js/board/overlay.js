/**
 * A layer over the squares for marks that the board library does not know: where a piece reaches, and the keyboard's
 * cursor. Positions are percentages, so that the layer follows the board at every size.
 */
import { toXY } from './geometry.js';

/**
 * @param {{files: number, ranks: number}} size
 * @param {() => boolean} whiteBelow whether White sits at the bottom now
 */
export function createOverlay(size, whiteBelow) {
  const element = document.createElement('div');
  element.className = 'overlay';
  element.setAttribute('aria-hidden', 'true');
  /** @type {[string, string][]} square and class of every mark */
  let hints = [];
  /** @type {string | null} */
  let cursor = null;

  /** @param {string} square @param {string} className */
  const mark = (square, className) => {
    const [x, y] = toXY(square);
    const node = document.createElement('i');
    node.className = className;
    node.style.position = 'absolute';
    node.style.width = `${100 / size.files}%`;
    node.style.height = `${100 / size.ranks}%`;
    node.style.left = `${((whiteBelow() ? x : size.files - 1 - x) * 100) / size.files}%`;
    node.style.top = `${((whiteBelow() ? size.ranks - 1 - y : y) * 100) / size.ranks}%`;
    return node;
  };

  const draw = () => {
    const marks = hints.map(([square, className]) => mark(square, className));
    if (cursor) marks.push(mark(cursor, 'square-cursor'));
    element.replaceChildren(...marks);
  };

  return {
    /** @param {import('./hints.js').Hint | null} hint */
    showHint(hint) {
      if (!hint && !hints.length) return;
      hints = (hint?.squares ?? []).map(square => [
        square, hint?.captures.includes(square) ? 'square-hint capture' : 'square-hint',
      ]);
      if (hint?.start) hints.push([hint.start, 'square-hint start']);
      draw();
    },
    /** @param {string | null} square */
    showCursor(square) {
      cursor = square;
      draw();
    },
    /** The library has drawn its elements anew. @param {HTMLElement} container */
    attach(container) {
      container.append(element);
      draw();
    },
  };
}

/**
 * "How does this piece move?": the squares that a piece of either side, on the board or in a pocket, reaches in the present
 * position, and the pointer and long-press handling that asks for it. Judges nothing.
 *
 * @import { Position } from './position.js'
 * @import { Color, Variant } from './variant.js'
 * @typedef {{squares: string[], captures: string[], start: string | null, text: string}} PieceReach
 */
import { dropZone, reach } from './movement.js';
import { t } from '../words.js';
import { pieceWords } from './variant.js';

const DWELL_MS = 180;
const LONG_PRESS_MS = 400;
const LONG_PRESS_SLACK_PX = 8;

/**
 * @param {Variant} variant @param {Position} position @param {string} square
 * @returns {PieceReach | null} null: the square is empty
 */
export function reachOnBoard(variant, position, square) {
  const piece = position.pieces.get(square);
  if (!piece) return null;
  /** @param {string} target */
  const isEnemy = target => {
    const there = position.pieces.get(target);
    return !!there && there.color !== piece.color;
  };
  const squares = reach(variant, position, square, (target, mode) => {
    const empty = !position.pieces.has(target);
    if (mode === 'move') return { stop: empty, pass: empty };
    const taken = isEnemy(target) || (mode === 'capture' && target === position.passed);
    return { stop: mode === 'capture' ? taken : empty || taken, pass: empty };
  });
  const captures = squares.filter(isEnemy);
  const text = t('board.piece_reach', {
    piece: pieceWords(variant, piece),
    square,
    reach: count(squares.length, captures.length),
  });
  return { squares, captures, start: square, text };
}

/** @param {Variant} variant @param {Position} position @param {Color} color @param {string} role @returns {PieceReach} */
export function reachFromPocket(variant, position, color, role) {
  const squares = dropZone(variant, color, role).filter(square => !position.pieces.has(square));
  const held = position.pockets[color].get(role) ?? 0;
  const use = squares.length ? t('board.can_drop', { n: squares.length }) : t('board.gates');
  const text = t('board.pocket_reach', { piece: pieceWords(variant, { color, role }), held, use });
  return { squares, captures: [], start: null, text };
}

/** @param {number} squares @param {number} captures */
function count(squares, captures) {
  if (!squares) return t('board.nowhere');
  return captures ? t('board.reach_captures', { n: squares, captures }) : t('board.reach', { n: squares });
}

/**
 * Calls `ask` with the element under a resting mouse or a long press, and with null when the pointer leaves.
 * @param {HTMLElement} element
 * @param {(at: {x: number, y: number, target: Element, touch: boolean} | null) => void} ask
 */
export function watchPointer(element, ask) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {{x: number, y: number} | null} */
  let pressed = null;
  /** @param {PointerEvent} event @param {number} delay */
  const later = (event, delay) => {
    clearTimeout(timer);
    const target = /** @type {Element} */ (event.target);
    const at = { x: event.clientX, y: event.clientY, target, touch: event.pointerType !== 'mouse' };
    timer = setTimeout(() => ask(at), delay);
  };
  const stop = () => {
    clearTimeout(timer);
    pressed = null;
    ask(null);
  };
  element.addEventListener('pointerdown', event => {
    stop();
    if (event.pointerType === 'mouse') return;
    pressed = { x: event.clientX, y: event.clientY };
    later(event, LONG_PRESS_MS);
  });
  element.addEventListener('pointermove', event => {
    if (event.pointerType === 'mouse') {
      if (event.buttons === 0) later(event, DWELL_MS);
    } else if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > LONG_PRESS_SLACK_PX)
      stop();
  });
  for (const name of ['pointerleave', 'pointerup', 'pointercancel']) element.addEventListener(name, stop);
}

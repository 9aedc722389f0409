/**
 * The board by keyboard: arrow keys move a cursor over the squares and, past the edges, through the pockets; Enter or
 * Space picks up and puts down; Escape cancels. Announces every step. Moves go the same way as with the mouse.
 *
 * @import { Board } from './board.js'
 * @import { Color, Variant } from './variant.js'
 * @typedef {{at: 'board', x: number, y: number} | {at: 'pocket', color: Color, index: number}} Cursor
 *   `index` counts the kinds of the pocket in order of display
 * @typedef {object} BoardLayout
 * @property {Color} orientation   the side at the bottom
 * @property {boolean} beside   the pockets are columns at the right edge of the board, starting at the top of the upper
 *   one and at the bottom of the lower one; otherwise they are rows above and below the board
 * @property {number} kinds   of pieces in each pocket
 */
import { onBoard, toSquare, toXY } from './geometry.js';
import { t } from '../words.js';
import { squareWords } from './position.js';
import { canDrop, opposite, roleName } from './variant.js';

/** @type {Record<string, [number, number]>} to the right, up, as seen on the screen */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class BoardKeys {
  #options;
  /** @type {Cursor | null} */
  #cursor = null;

  /**
   * @param {object} options
   * @param {HTMLElement} options.element   takes the focus
   * @param {Board} options.board
   * @param {Variant} options.variant
   * @param {Record<'top' | 'bottom', HTMLElement>} options.pockets
   * @param {(text: string) => void} options.say
   */
  constructor(options) {
    this.#options = options;
    const { element, board } = options;
    element.addEventListener('focus', () => {
      if (element.matches(':focus-visible')) this.#moveTo(this.#here());
    });
    element.addEventListener('blur', () => board.overlay.showCursor(null));
    element.addEventListener('keydown', event => {
      if (event.ctrlKey || event.altKey || event.metaKey || !this.#press(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** @param {string} key @returns {boolean} whether the key does something here */
  #press(key) {
    if (ARROWS[key]) this.#moveTo(step(this.#here(), ARROWS[key], this.#layout(), this.#options.variant));
    else if (key === 'Enter' || key === ' ') this.#pickUpOrPutDown();
    else if (key === 'Escape') this.#options.board.cancel();
    else return false;
    return true;
  }

  /** Where the page has put the pockets at its present size. @returns {BoardLayout} */
  #layout() {
    const { board, element, pockets, variant } = this.#options;
    const beside = pockets.bottom.getBoundingClientRect().left >= element.getBoundingClientRect().right - 1;
    return { orientation: board.orientation, beside, kinds: variant.pocketRoles.length };
  }

  /** @returns {Cursor} initially the king of the side at the bottom */
  #here() {
    return this.#cursor ?? firstCursor(this.#options.board, this.#options.variant);
  }

  /** @param {Cursor} cursor */
  #moveTo(cursor) {
    const { board, variant, pockets, say } = this.#options;
    this.#cursor = cursor;
    board.overlay.showCursor(cursor.at === 'board' ? toSquare(cursor.x, cursor.y) : null);
    for (const [place, pocket] of Object.entries(pockets)) {
      const color = place === 'bottom' ? board.orientation : opposite(board.orientation);
      for (const [index, square] of [...pocket.children].entries())
        square.classList.toggle(
          'pocket-cursor',
          cursor.at === 'pocket' && cursor.color === color && cursor.index === index,
        );
    }
    say(wordsAt(variant, board, cursor));
  }

  #pickUpOrPutDown() {
    const { board, say } = this.#options;
    const cursor = this.#here();
    const held = board.isHolding;
    /** @type {string | null} */
    let refusal = null;
    if (cursor.at === 'board') {
      const square = toSquare(cursor.x, cursor.y);
      refusal = board.refusal(square);
      if (!held && !board.position.pieces.has(square) && board.dropHere.ask(square)) return;
      board.select(square);
    } else if (!this.#pickFromPocket(cursor)) return;
    if (board.isHolding) say(this.#pickedUpWords(cursor));
    else say(refusal ?? t(held ? 'board.put_down' : 'board.nothing_here'));
  }

  /** @param {Extract<Cursor, {at: 'pocket'}>} cursor @returns {boolean} whether that piece can enter by itself or behind another */
  #pickFromPocket(cursor) {
    const { board, variant, say } = this.#options;
    const role = variant.pocketRoles[cursor.index];
    const enters = canDrop(variant, role) || board.pocketFirst.gatesFor(role).length > 0;
    if (enters) board.selectPocket(cursor.color, role);
    else say(t('board.cannot_drop', { what: wordsAt(variant, board, cursor) }));
    return enters;
  }

  /** @param {Cursor} cursor */
  #pickedUpWords(cursor) {
    const { board, variant } = this.#options;
    const words = t('board.picked_up', { what: wordsAt(variant, board, cursor) });
    const { now } = board.pocketFirst;
    if (!now) return words;
    const piece = roleName(variant, now.role);
    if (now.square) return `${words}; ${t('board.enters_on', { piece, square: now.square })}`;
    const squares = board.pocketFirst.gatesFor(now.role).sort().join(', ');
    return `${words}; ${t('board.enters_behind', { squares })}`;
  }
}

/** The king of the side at the bottom; a1 if there is none. @param {Board} board @param {Variant} variant @returns {Cursor} */
function firstCursor(board, variant) {
  const king = [...board.position.pieces].find(
    ([, { role, color }]) => color === board.orientation && variant.roles[role]?.royal,
  );
  const [x, y] = king ? toXY(king[0]) : [0, 0];
  return { at: 'board', x, y };
}

/** @param {Variant} variant @param {Board} board @param {Cursor} cursor */
function wordsAt(variant, board, cursor) {
  const { position } = board;
  if (cursor.at === 'pocket') {
    const role = variant.pocketRoles[cursor.index];
    const held = position.pockets[cursor.color].get(role) ?? 0;
    const pocket = cursor.color === 'white' ? 'board.white_pocket' : 'board.black_pocket';
    return t(pocket, { piece: roleName(variant, role), held: held || t('board.none') });
  }
  return squareWords(variant, position, toSquare(cursor.x, cursor.y));
}

// Where an arrow key takes the keyboard cursor: over the squares and, past the edge, into the pocket that is there.
// Pure; knows no element.

/**
 * @param {Cursor} from
 * @param {[number, number]} arrow   steps to the right and up as seen on the screen, one of them 0
 * @param {BoardLayout} layout
 * @param {{files: number, ranks: number}} size
 * @returns {Cursor} `from` itself if there is nothing in that direction
 */
export function step(from, arrow, layout, size) {
  if (from.at === 'pocket')
    return layout.beside ? inColumn(from, arrow, layout, size) : inRow(from, arrow, layout, size);
  const sign = layout.orientation === 'white' ? 1 : -1;
  const [x, y] = [from.x + arrow[0] * sign, from.y + arrow[1] * sign];
  if (onBoard(size, x, y)) return { at: 'board', x, y };
  if (!layout.kinds) return from;
  return layout.beside ? intoColumn(from, arrow, layout, size) : intoRow(from, arrow, layout, size);
}

/** @param {Color} color @param {BoardLayout} layout */
const isBelow = (color, { orientation }) => color === orientation;

/** @param {number} row counted from the bottom of the screen @param {BoardLayout} layout @param {{ranks: number}} size */
const rankAt = (row, { orientation }, { ranks }) => (orientation === 'white' ? row : ranks - 1 - row);

/** @param {number} column counted from the left of the screen @param {BoardLayout} layout @param {{files: number}} size */
const fileAt = (column, { orientation }, { files }) => (orientation === 'white' ? column : files - 1 - column);

/** @param {Extract<Cursor, {at: 'board'}>} from @param {[number, number]} arrow @param {BoardLayout} layout
 * @param {{files: number}} size @returns {Cursor} */
function intoRow(from, [, up], layout, size) {
  if (!up) return from;
  const color = up === -1 ? layout.orientation : opposite(layout.orientation);
  return { at: 'pocket', color, index: Math.min(fileAt(from.x, layout, size), layout.kinds - 1) };
}

/** @param {Extract<Cursor, {at: 'pocket'}>} from @param {[number, number]} arrow @param {BoardLayout} layout
 * @param {{files: number, ranks: number}} size @returns {Cursor} */
function inRow(from, [right, up], layout, size) {
  if (right) return { ...from, index: (from.index + right + layout.kinds) % layout.kinds };
  const below = isBelow(from.color, layout);
  if (up !== (below ? 1 : -1)) return from;
  const column = Math.min(from.index, size.files - 1);
  return { at: 'board', x: fileAt(column, layout, size), y: rankAt(below ? 0 : size.ranks - 1, layout, size) };
}

/** @param {Extract<Cursor, {at: 'board'}>} from @param {[number, number]} arrow @param {BoardLayout} layout
 * @param {{ranks: number}} size @returns {Cursor} */
function intoColumn(from, [right], layout, size) {
  if (right !== 1) return from;
  const row = rankAt(from.y, layout, size);
  const below = row < size.ranks / 2;
  const color = below ? layout.orientation : opposite(layout.orientation);
  return { at: 'pocket', color, index: Math.min(below ? row : size.ranks - 1 - row, layout.kinds - 1) };
}

/** @param {Extract<Cursor, {at: 'pocket'}>} from @param {[number, number]} arrow @param {BoardLayout} layout
 * @param {{files: number, ranks: number}} size @returns {Cursor} */
function inColumn(from, [right, up], layout, size) {
  const below = isBelow(from.color, layout);
  const height = Math.min(from.index, Math.ceil(size.ranks / 2) - 1);
  if (right === -1) {
    const x = fileAt(size.files - 1, layout, size);
    return { at: 'board', x, y: rankAt(below ? height : size.ranks - 1 - height, layout, size) };
  }
  const index = from.index + (below ? up : -up);
  if (index < 0) return from;
  // The two columns meet in the middle.
  return index < layout.kinds ? { ...from, index } : { ...from, color: opposite(from.color) };
}

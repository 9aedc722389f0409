/**
 * Asks at the square itself which move is meant when several are possible: promotions, gated pieces, drops, or the plain
 * move. A menu of tiles on the board, which stays as it is. Escape, Tab or a press elsewhere answers that the move is taken
 * back. By keyboard: arrows and Enter, or the letter on the tile. Knows no game.
 *
 * @import { Question } from '../../board/choices/question.js'
 * @import { Option } from '../../board/gestures.js'
 * @import { Color, Variant } from '../../board/variant.js'
 * @typedef {{square: string, options: Option[]}} Group   tiles that are about one square
 */
import { columnsOf, tileSide } from '../../board/choices/choice_columns.js';
import { toLibraryRole } from '../../board/geometry.js';
import { roleName } from '../../board/variant.js';
import { t } from '../../words.js';
import { create } from '../dom.js';
import { shield } from '../shield.js';

/** The key for the plain move. */
const NOTHING = '0';
/** @type {Record<string, [number, number]>} to the right, down */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** From here on a tile has room for its name below the piece; on smaller boards it stands beside it. */
const NAMED_PX = 64;

/**
 * @param {Variant} variant @param {HTMLElement} place the board's element, over which the tiles are laid
 * @param {Color} bottom the side at the bottom
 * @param {Question} question
 * @returns {Promise<Option | null>} null: the move is taken back
 */
export function askChoice(variant, place, bottom, question) {
  const groups = groupsOf(question);
  const menu = create('div', 'choices');
  menu.id = 'choice';
  menu.setAttribute('role', 'menu');
  menu.setAttribute('aria-label', questionWords(question));
  return new Promise(resolve => {
    const answer = closing(menu, resolve);
    const tiles = groups.map(({ square, options }) =>
      options.map(option => tileFor(variant, question, option, groups.length > 1 ? square : null, answer)),
    );
    const lay = () => layOut(menu, variant, bottom, groups, tiles, place.clientWidth / variant.files);
    lay();
    place.append(menu);
    // Of a promotion, what lies on the square is what nearly everybody wants: they may press twice.
    if (!isPromotion(question)) shield(menu);
    tiles[0][0].focus({ preventScroll: true });
    question.signal.addEventListener('abort', () => answer(null), { once: true });
    listen(menu, lay, answer, question.signal);
  });
}

/** What answers the question once, and removes the menu. The focus returns to where it was.
 * @param {HTMLElement} menu @param {(option: Option | null) => void} resolve @returns {(option: Option | null) => void} */
function closing(menu, resolve) {
  const before = document.activeElement;
  return option => {
    if (!menu.isConnected) return;
    const inside = menu.contains(document.activeElement);
    menu.remove();
    if (inside && before instanceof HTMLElement) before.focus({ preventScroll: true });
    resolve(option);
  };
}

/** @param {HTMLElement} menu @param {() => void} lay @param {(option: null) => void} answer @param {AbortSignal} signal */
function listen(menu, lay, answer, signal) {
  const elsewhere = (/** @type {EventTarget | null} */ target) => !(target instanceof Node && menu.contains(target));
  // Ahead of the board, so that the press can at once pick up a piece of the position that is there again.
  document.addEventListener('pointerdown', event => elsewhere(event.target) && answer(null), {
    capture: true,
    signal,
  });
  menu.addEventListener('focusout', event => event.relatedTarget && elsewhere(event.relatedTarget) && answer(null), {
    signal,
  });
  menu.addEventListener('keydown', event => press(menu, event, answer), { signal });
  // A press that the shield takes must not give the focus to the board around it.
  menu.addEventListener('mousedown', event => event.preventDefault(), { signal });
  // What is under the tiles is not what the pointer is on.
  for (const kind of ['pointerdown', 'pointermove', 'pointerup'])
    menu.addEventListener(kind, event => event.stopPropagation(), { signal });
  addEventListener('resize', lay, { signal });
}

/** @param {Question} question */
const isPromotion = ({ options, from }) => from !== null && !options.some(({ gate }) => gate);

/** One group for each square at which something can enter; the plain move is in the first.
 * @param {Question} question @returns {Group[]} */
function groupsOf({ options, from, to }) {
  const gates = [...new Set(options.flatMap(({ gate }) => gate ?? []))];
  gates.sort((a, b) => Number(b === from) - Number(a === from));
  const squares = gates.length ? gates : [to];
  return squares.map((square, index) => ({
    square,
    options: [
      ...inOrder(options.filter(({ gate, role }) => role && (gate ?? to) === square)),
      ...options.filter(({ role }) => !role && index === 0),
    ],
  }));
}

/** What enters stands in the same order wherever it is asked. @param {Option[]} options */
const inOrder = options =>
  options.some(({ gate }) => gate) ? options.sort((a, b) => (a.role ?? '').localeCompare(b.role ?? '')) : options;

/** @param {Question} question @returns {string} "What is gated on b1?" */
export function questionWords(question) {
  const { from, to } = question;
  if (!from) return t('board.ask_drop', { square: to });
  if (isPromotion(question)) return t('board.ask_promotion', { square: to });
  const squares = groupsOf(question).map(({ square }) => square);
  return t('board.ask_gate', { square: squares.join(` ${t('board.or')} `) });
}

/**
 * @param {Variant} variant @param {Question} question @param {Option} option
 * @param {string | null} square where it enters, if there is more than one place
 * @param {(option: Option) => void} answer
 */
function tileFor(variant, { options, from, color }, option, square, answer) {
  const { role, suffix } = option;
  const key = role ? (variant.roles[role]?.san ?? role.toUpperCase()) : NOTHING;
  const none = t(options.some(({ gate }) => gate) ? 'board.gate_nothing' : 'board.stay');
  const name = role ? roleName(variant, role) : none;
  const words = role && square ? t('board.piece_on', { piece: name, square }) : name;
  const picture = role ? create('piece', `${toLibraryRole(role)} ${color}`) : create('i', '');
  const tile = create('button', 'choice', picture, create('span', '', words));
  tile.type = 'button';
  tile.tabIndex = -1;
  tile.dataset.key = key;
  tile.dataset.suffix = suffix;
  tile.setAttribute('role', 'menuitem');
  tile.setAttribute('aria-keyshortcuts', key);
  let pressed = false;
  tile.addEventListener('pointerdown', () => (pressed = true));
  tile.addEventListener('click', event => {
    // Not the end of a press that began before the tile came up below it.
    if (event.detail && !pressed) return;
    const isDouble = event.detail > 1 && /** @type {PointerEvent} */ (event).pointerType === 'mouse';
    if (from || !isDouble) answer(option);
  });
  return tile;
}

/** @param {HTMLElement} menu @param {Variant} variant @param {Color} bottom @param {Group[]} groups
 * @param {HTMLElement[][]} tiles of each group @param {number} side px, of a square */
function layOut(menu, variant, bottom, groups, tiles, side) {
  const sizes = groups.map(({ square, options }) => ({ square, tiles: options.length }));
  const left = tiles.map(of => [...of]);
  menu.style.setProperty('--tile', `${tileSide(side)}px`);
  const wide = side < NAMED_PX;
  menu.classList.toggle('name-below', !wide);
  menu.classList.toggle('name-beside', wide);
  const focused = document.activeElement;
  menu.replaceChildren(
    ...columnsOf(sizes, variant, bottom, side, wide).map(column => {
      const element = create('div', 'choice-column', ...left[column.group].splice(0, column.tiles));
      element.setAttribute('role', 'none');
      element.classList.toggle('up', column.up);
      element.style.width = `${column.width}px`;
      element.style.left = `${column.left}px`;
      element.style.top = `${column.top}px`;
      return element;
    }),
  );
  if (focused instanceof HTMLElement && menu.contains(focused)) focused.focus({ preventScroll: true });
}

/** @param {HTMLElement} menu @param {KeyboardEvent} event @param {(option: null) => void} answer */
function press(menu, event, answer) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  // Neither the board nor the page has a use for a key meanwhile.
  event.stopPropagation();
  const tiles = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll('.choice')]);
  const at = tiles.find(tile => tile === document.activeElement) ?? tiles[0];
  if (event.key === 'Enter' || event.key === ' ') {
    // The key that put the piece down, and is still held, must not choose.
    if (event.repeat) event.preventDefault();
    return;
  }
  // With Tab the focus goes on from where it was before the question.
  if (event.key === 'Escape' || event.key === 'Tab') answer(null);
  else if (ARROWS[event.key]) neighbour(tiles, at, ARROWS[event.key])?.focus();
  else named(tiles, at, event.key.toUpperCase());
  if (event.key !== 'Tab') event.preventDefault();
}

/** The next tile in that direction, as seen on the screen.
 * @param {HTMLElement[]} tiles @param {HTMLElement} from @param {[number, number]} arrow */
function neighbour(tiles, from, [right, down]) {
  const start = from.getBoundingClientRect();
  const ways = tiles.map(tile => {
    const { left, top } = tile.getBoundingClientRect();
    const [x, y] = [left - start.left, top - start.top];
    return { tile, ahead: x * right + y * down, aside: Math.abs(x * down) + Math.abs(y * right) };
  });
  const before = ways.filter(({ ahead }) => ahead > 1);
  return before.sort((a, b) => a.aside * 2 + a.ahead - (b.aside * 2 + b.ahead))[0]?.tile;
}

/** Takes the tile with that letter; of several, goes to the next. @param {HTMLElement[]} tiles @param {HTMLElement} at @param {string} key */
function named(tiles, at, key) {
  const found = tiles.filter(tile => tile.dataset.key === key);
  if (found.length === 1) found[0].click();
  else found[(found.indexOf(at) + 1) % found.length]?.focus();
}

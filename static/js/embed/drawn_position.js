/**
 * Draws positions into the SVG of a board that the server has drawn (server/pictures/board.py: live_board), by the definitions
 * that are in it. Lengths are in the units of that drawing. Knows no game.
 *
 * @typedef {object} Drawn
 * @property {number} width of the drawing @property {number} height
 * @property {number} files @property {number} ranks
 * @property {boolean} flip   Black is at the bottom
 * @property {number} square   how wide one is
 * @property {[number, number]} piece   where a piece is drawn within its square
 * @property {number} margin   how high the place above the board is, and that below it
 * @property {number} pocket   how high a pocket is
 * @property {string[]} held   the roles that can be in a pocket, in order
 * @property {Record<string, string>} kinds   the id of the definition of each role
 * @property {number} checks   so many of them win, 0 if no number does
 */
import { toXY } from '../board/geometry.js';
import { isDisguised, parseFen } from '../board/position.js';
import { byId } from '../ui/dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const SIDES = /** @type {const} */ (['white', 'black']);
/** What is not in a pocket is pale there. */
const PALE = 0.2;

/** @param {string} tag @param {Record<string, string | number>} attributes */
function create(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** @param {string} id @returns {Element} */
const group = id => /** @type {Element} */ (byId('board').querySelector(`#${id}`));

/** @param {Drawn} drawn @param {string} fen @param {string[]} moved squares of the last move, the one that it reached last */
export function drawPosition(drawn, fen, moved) {
  const { files, ranks, flip, square: size, margin, kinds } = drawn;
  const corner = (/** @type {string} */ square) => {
    const [x, y] = toXY(square);
    return [(flip ? files - 1 - x : x) * size, margin + (flip ? y : ranks - 1 - y) * size];
  };
  const use = (/** @type {string} */ id, /** @type {number[]} */ [x, y], dx = 0, dy = 0) =>
    create('use', { href: `#${id}`, x: x + dx, y: y + dy });
  group('marks').replaceChildren(...moved.map(square => use(square === moved.at(-1) ? 'to' : 'from', corner(square))));
  const { pieces, pockets, toCheck } = parseFen(fen);
  /** @type {Element[]} */
  const over = [];
  /** @type {Record<'white' | 'black', Element[]>} */
  const placed = { white: [], black: [] };
  for (const [square, piece] of pieces) {
    placed[piece.color].push(use(kinds[piece.role], corner(square), ...drawn.piece));
    if (isDisguised(piece)) over.push(use('dot', corner(square)));
  }
  for (const color of SIDES) {
    const [held, numbers] = drawPocket(drawn, color, pockets[color]);
    // The colours of a side are those of the group inside.
    group(`pieces-${color}`).firstElementChild?.replaceChildren(...placed[color], ...held);
    over.push(...numbers);
    if (toCheck && drawn.checks)
      for (const [nth, star] of [...group(`checks-${color}`).children].entries())
        star.setAttribute('fill-opacity', nth < drawn.checks - toCheck[color] ? '1' : '0');
  }
  group('over').replaceChildren(...over);
}

/** @param {Drawn} drawn @param {'white' | 'black'} color @param {Map<string, number>} holds how many of each role
 * @returns {[Element[], Element[]]} the pieces, and their numbers */
function drawPocket(drawn, color, holds) {
  const { held, kinds, square, pocket } = drawn;
  const cell = Math.min(pocket, drawn.width / held.length);
  const top = (color === 'black') === drawn.flip ? drawn.height - drawn.margin : drawn.margin - pocket;
  const scale = (cell - 4) / square;
  const size = Math.min(40, cell * 0.42);
  /** @type {Element[]} */
  const numbers = [];
  const pieces = held.map((role, nth) => {
    const number = holds.get(role) ?? 0;
    const [x, y] = [nth * cell + 2 + drawn.piece[0] * scale, top + (pocket - cell) / 2 + 2 + drawn.piece[1] * scale];
    if (number)
      numbers.push(badge(number, (nth + 1) * cell - size * 0.9, top + (pocket + cell) / 2 - size * 0.9, size));
    const transform = `translate(${x} ${y}) scale(${scale})`;
    return create('use', { href: `#${kinds[role]}`, transform, opacity: number ? 1 : PALE });
  });
  return [pieces, numbers];
}

/** @param {number} number @param {number} x @param {number} y @param {number} size */
function badge(number, x, y, size) {
  const made = create('g', {});
  const width = size * (number < 10 ? 1 : 1.5);
  const text = create('text', {
    x: x + size / 2,
    y: y + size * 0.52,
    'font-size': size * 0.7,
    'font-weight': 700,
    'text-anchor': 'middle',
    fill: '#fff',
  });
  text.textContent = String(number);
  const back = { x: x + size / 2 - width / 2, y: y - size * 0.2, width, height: size, rx: size / 2, fill: '#15433a' };
  made.append(create('rect', back), text);
  return made;
}

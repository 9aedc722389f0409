/**
 * The tree of moves as nested lists of buttons: the main line, and each variation below the move that it replaces. Tab
 * reaches only the current move; the keys that step through the moves reach the others.
 *
 * @import { PgnInfo } from '../game/judge.js'
 * @import { Mark } from '../report/judgement.js'
 * @import { Outline, Tree } from '../game/tree.js'
 */
import { halfMovesBefore, moveNumber } from '../board/position.js';
import { create, revealIn } from '../ui/dom.js';
import { t } from '../words.js';
import { GLYPHS } from '../report/judgement.js';
import { marked } from '../report/sign.js';
import { glyph } from './pgn.js';
import { ROOT, nodeAt, outline, pathTo } from '../game/tree.js';

export class TreeView {
  #element;
  /** @type {Tree | null} */
  #drawn = null;
  /** @type {ReadonlyMap<number, Mark>} */
  #marks = new Map();
  #current = ROOT;
  /** Whether the shown move was in sight when the list was scrolled last. */
  #inSight = true;

  /** @param {HTMLElement} element @param {(id: number) => void} goTo */
  constructor(element, goTo) {
    this.#element = element;
    element.addEventListener('click', event => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (button) goTo(Number(button.dataset.id));
    });
    // The engine's place above takes room from the list: the shown move stays in sight, unless the person has scrolled it away.
    element.addEventListener('scroll', () => (this.#inSight = this.#isInSight()));
    new ResizeObserver(() => {
      const shown = this.#shown;
      if (shown && this.#inSight) revealIn(element, shown);
    }).observe(element);
  }

  /** @returns {HTMLButtonElement | null} */
  get #shown() {
    return this.#element.querySelector('button[aria-current]');
  }

  #isInSight() {
    const view = this.#element.getBoundingClientRect();
    const place = this.#shown?.getBoundingClientRect();
    return !place || (place.top >= view.top - 1 && place.bottom <= view.bottom + 1);
  }

  /**
   * @param {Tree} tree @param {number} at the shown node @param {PgnInfo | null} info on the whole game
   * @param {ReadonlyMap<number, Mark>} marks of a report, by node
   */
  render(tree, at, info, marks) {
    const isDrawn = tree === this.#drawn && marks === this.#marks;
    if (isDrawn && at === this.#current) return;
    const focused = this.#element.contains(document.activeElement);
    if (!isDrawn) {
      const line = outline(tree);
      const offset = halfMovesBefore(nodeAt(tree, ROOT).fen);
      const list = line.length ? [lineElement(line, offset, true, marks)] : [];
      const ended = info && info.result !== '*' ? [create('p', 'tree-result', info.result)] : [];
      this.#element.replaceChildren(...said(info?.comments, 'p'), ...list, ...ended);
    }
    this.#drawn = tree;
    this.#marks = marks;
    this.#current = at;
    this.#mark(tree, at, focused);
  }

  /** @param {Tree} tree @param {number} at @param {boolean} focused keeps the focus on the shown move */
  #mark(tree, at, focused) {
    const onPath = new Set(pathTo(tree, at).map(({ id }) => id));
    for (const button of this.#element.querySelectorAll('button')) {
      const id = Number(button.dataset.id);
      button.classList.toggle('on-path', onPath.has(id));
      button.tabIndex = id === at ? 0 : -1;
      if (id === at) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    const first = this.#element.querySelector('button');
    if (at === ROOT && first) first.tabIndex = 0;
    const shown = this.#shown ?? first;
    if (!shown) return;
    if (focused) shown.focus({ preventScroll: true });
    revealIn(this.#element, shown);
    this.#inSight = true;
  }
}

/** @param {Outline} line @param {number} offset half-moves before the first @param {boolean} main @param {ReadonlyMap<number, Mark>} marks */
function lineElement(line, offset, main, marks) {
  const list = create('ol', main ? 'main-line' : '');
  let always = true;
  for (const { node, ply, variations } of line) {
    const { nags = [], comments, before } = node.notes ?? {};
    list.append(...said(before));
    const button = Object.assign(create('button', ''), { type: 'button' });
    button.dataset.id = String(node.id);
    const number = moveNumber(ply - 1 + offset, always);
    if (number) button.append(create('span', 'number', number));
    button.append(create('span', 'san', node.san));
    const mark = marks.get(node.id);
    const own = nags.map(glyph).filter(sign => !mark || sign !== GLYPHS[mark]);
    if (own.length) button.append(create('span', 'glyph', own.join(' ')));
    if (mark) button.append(...marked(mark));
    list.append(create('li', 'tree-move', button), ...said(comments));
    for (const variation of variations) list.append(branch(variation, offset, node.san, marks));
    always = variations.length > 0 || said(comments).length > 0;
  }
  return list;
}

/** Comments for people to read, without the commands for programs in square brackets.
 * @param {string[]} [comments] @param {string} [tag] */
function said(comments = [], tag = 'li') {
  const texts = comments.map(text => text.replace(/\[%[^\]]*\]/g, '').trim());
  return texts.filter(Boolean).map(text => create(tag, 'comment', text));
}

/** @param {Outline} variation @param {number} offset @param {string} instead SAN of the move that it replaces @param {ReadonlyMap<number, Mark>} marks */
function branch(variation, offset, instead, marks) {
  const list = lineElement(variation, offset, false, marks);
  list.setAttribute('aria-label', t('analysis.variation', { move: instead }));
  return create('li', 'variation', list);
}

/**
 * The buttons and keys of the analysis page: what each one does, and which buttons are enabled.
 *
 * @import { Tree } from '../game/tree.js'
 * @import { Study } from './study.js'
 * @typedef {'first' | 'previous' | 'next' | 'last' | 'above' | 'below'} Way   above, below: the alternatives to the shown move
 */
import { buttonById } from '../ui/dom.js';
import { onKeys } from '../ui/keys.js';
import { enclosingVariation, endOf, nodeAt, ROOT, sibling } from '../game/tree.js';

/**
 * @param {Record<Action, () => void>} actions
 * @typedef {Way | 'undo' | 'promote' | 'remove'} OnTree   promote: the shown variation; remove: the
 *   shown move, and everything after it
 * @typedef {OnTree | 'clear' | 'flip' | 'share' | 'lastMove' | 'type' | 'comment'} Action   announce the last move; focus
 *   the field for moves, or for a comment
 */
export function listenToControls(actions) {
  const { first, previous, next, last, undo, promote, remove, flip } = actions;
  const buttons = {
    'nav-prev': previous,
    'nav-next': next,
    takeback: undo,
    promote,
    delete: remove,
    clear: actions.clear,
    flip,
    'share-open': actions.share,
  };
  for (const [id, act] of Object.entries(buttons)) buttonById(id).addEventListener('click', act);
  onKeys({
    ArrowLeft: previous,
    ArrowRight: next,
    Home: first,
    End: last,
    ArrowUp: actions.above,
    ArrowDown: actions.below,
    Backspace: undo,
    Delete: remove,
    v: promote,
    f: flip,
    l: actions.lastMove,
    m: actions.type,
    c: actions.comment,
  });
}

/** Enables only the buttons that can do something at a node. @param {Tree} tree @param {number} at @param {{isEmpty: boolean}} history */
export function enableButtons(tree, at, history) {
  for (const id of ['nav-prev', 'delete']) buttonById(id).disabled = at === ROOT;
  buttonById('takeback').disabled = history.isEmpty;
  buttonById('nav-next').disabled = !nodeAt(tree, at).children.length;
  buttonById('promote').disabled = enclosingVariation(tree, at) === null;
}

// The ways from one position of a study to another. Knows no element.

/** @type {[Way, (tree: Tree, at: number) => number][]} */
const WAYS = [
  ['first', () => ROOT],
  ['previous', (tree, at) => nodeAt(tree, at).parent],
  ['next', (tree, at) => nodeAt(tree, at).children[0] ?? at],
  ['last', endOf],
  ['above', (tree, at) => sibling(tree, at, -1)],
  ['below', (tree, at) => sibling(tree, at, 1)],
];

/** @param {() => Study} study @param {(id: number) => void} go @returns {Record<Way, () => void>} */
export function walking(study, go) {
  const steps = WAYS.map(([way, from]) => [way, () => go(from(study().tree, study().at))]);
  return /** @type {Record<Way, () => void>} */ (Object.fromEntries(steps));
}

/**
 * The buttons and keys of the analysis page: what each one does, and which buttons are enabled.
 *
 * @import { Tree } from '../game/tree.js'
 */
import { buttonById } from '../ui/dom.js';
import { onKeys } from '../ui/keys.js';
import { ROOT, enclosingVariation, nodeAt } from '../game/tree.js';

/**
 * @param {Record<Action, () => void>} actions
 * @typedef {import('./walking.js').Way | 'undo' | 'promote' | 'remove'} OnTree   promote: the shown variation; remove: the
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

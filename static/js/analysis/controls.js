/**
 * The buttons and keys of the analysis page: what each one does, and which buttons are enabled.
 *
 * @import { Tree } from './tree.js'
 */
import { buttonById } from '../ui/dom.js';
import { onKeys } from '../ui/keys.js';
import { ROOT, enclosingVariation, nodeAt } from './tree.js';

/**
 * @param {object} actions
 * @param {() => void} actions.first   through the moves
 * @param {() => void} actions.previous
 * @param {() => void} actions.next
 * @param {() => void} actions.last
 * @param {(by: 1 | -1) => void} actions.sibling   the previous or next alternative to the shown move
 * @param {() => void} actions.takeBack
 * @param {() => void} actions.promote   the variation
 * @param {() => void} actions.remove   the shown move and everything after it
 * @param {() => void} actions.clear
 * @param {() => void} actions.flip
 * @param {() => void} actions.share
 * @param {() => void} actions.lastMove   announces it
 * @param {() => void} actions.type   focuses the field for moves
 */
export function listenToControls(actions) {
  const { first, previous, next, last, sibling, takeBack, promote, remove, clear, flip, share, lastMove, type } =
    actions;
  const buttons = {
    'nav-first': first,
    'nav-prev': previous,
    'nav-next': next,
    'nav-last': last,
    takeback: takeBack,
    promote,
    delete: remove,
    clear,
    flip,
    'share-open': share,
  };
  for (const [id, act] of Object.entries(buttons)) buttonById(id).addEventListener('click', act);
  onKeys({
    ArrowLeft: previous,
    ArrowRight: next,
    Home: first,
    End: last,
    ArrowUp: () => sibling(-1),
    ArrowDown: () => sibling(1),
    Backspace: takeBack,
    Delete: remove,
    v: promote,
    f: flip,
    l: lastMove,
    m: type,
  });
}

/** Enables only the buttons that can do something at a node. @param {Tree} tree @param {number} at */
export function enableButtons(tree, at) {
  for (const id of ['nav-first', 'nav-prev', 'takeback', 'delete']) buttonById(id).disabled = at === ROOT;
  for (const id of ['nav-next', 'nav-last']) buttonById(id).disabled = !nodeAt(tree, at).children.length;
  buttonById('promote').disabled = enclosingVariation(tree, at) === null;
}

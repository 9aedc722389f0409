/**
 * The ways from one position of a study to another. Knows no element.
 *
 * @import { Study } from './study.js'
 * @import { Tree } from '../game/tree.js'
 * @typedef {'first' | 'previous' | 'next' | 'last' | 'above' | 'below'} Way   above, below: the alternatives to the shown move
 */
import { ROOT, endOf, nodeAt, sibling } from '../game/tree.js';

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

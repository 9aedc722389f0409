/**
 * Two people have changed the same study, each without seeing what the other did: both changes, as far as they go together.
 * Plain functions on values.
 *
 * What only one has changed is as they left it. Where both have changed the same comment, one's own stays; what one has deleted
 * stays if the other has gone on from there.
 *
 * @import { Node, Tree } from '../game/tree.js'
 * @import { Study } from './study.js'
 */
import { endOfWay, nodeAt, pathTo, ROOT } from '../game/tree.js';

/**
 * @param {Study} base as both had it @param {Study} mine as it became here @param {Study} theirs as it became elsewhere
 * @returns {Study | null} with the position of `mine`, whose nodes keep their ids; null: they begin in different positions
 */
export function mergeStudies(base, mine, theirs) {
  const starts = [base, mine, theirs].map(({ tree, chess960 }) => `${chess960} ${nodeAt(tree, ROOT).fen}`);
  if (new Set(starts).size > 1) return null;
  const tree = mergeTrees(base.tree, mine.tree, theirs.tree);
  const info = same(mine.info, base.info) ? theirs.info : mine.info;
  const players = same(mine.players, base.players) ? theirs.players : mine.players;
  const way = pathTo(mine.tree, mine.at).map(({ uci }) => uci);
  return { ...mine, tree, info, players, at: endOfWay(tree, way) };
}

/** @param {Tree} base @param {Tree} mine @param {Tree} theirs @returns {Tree} */
function mergeTrees(base, mine, theirs) {
  /** @type {Map<number, Node>} */
  const nodes = new Map();
  let { next } = mine;

  /**
   * One position that at least one of them has now, with all that follows.
   * @param {Node | undefined} was @param {Node | undefined} here @param {Node | undefined} there @param {number} parent @returns {number} its id
   */
  function merge(was, here, there, parent) {
    const known = /** @type {Node} */ (here ?? there);
    const id = here ? here.id : next++;
    const notes = here && (!there || !same(here.notes, was?.notes)) ? here.notes : (there ?? known).notes;
    const ucis = order(was && movesOf(base, was), here && movesOf(mine, here), there && movesOf(theirs, there));
    const children = ucis.flatMap(uci => {
      const [before, own, other] = [child(base, was, uci), child(mine, here, uci), child(theirs, there, uci)];
      // Deleted by one of them, while the other has left it as it was.
      const isGone =
        before && (own ? !other && unchanged(mine, own, before) : other && unchanged(theirs, other, before));
      return isGone ? [] : [merge(before, own, other, id)];
    });
    nodes.set(id, { ...known, id, parent, notes, children });
    return id;
  }

  /** @param {Tree} tree @param {Node} now @param {Node} before of the base */
  const unchanged = (tree, now, before) => spell(tree, now) === spell(base, before);

  merge(nodeAt(base, ROOT), nodeAt(mine, ROOT), nodeAt(theirs, ROOT), ROOT);
  return { nodes, next };
}

/** The moves of both, in one's own order if that was changed here, else in theirs. @param {string[]} [was] @param {string[]} [here] @param {string[]} [there] */
function order(was = [], here = [], there = []) {
  const [first, second] = same(here, was) ? [there, here] : [here, there];
  return [...first, ...second.filter(uci => !first.includes(uci))];
}

/** @param {Tree} tree @param {Node} node */
const movesOf = (tree, node) => node.children.map(id => nodeAt(tree, id).uci);

/** @param {Tree} tree @param {Node | undefined} node @param {string} uci @returns {Node | undefined} */
const child = (tree, node, uci) => node?.children.map(id => nodeAt(tree, id)).find(one => one.uci === uci);

/** All that is said of a position and what follows. @param {Tree} tree @param {Node} node @returns {string} */
const spell = (tree, { uci, notes, children }) =>
  JSON.stringify([uci, plain(notes), children.map(id => spell(tree, nodeAt(tree, id)))]);

/** @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(plain(one)) === JSON.stringify(plain(other));

/** Without what is empty, and in one order: nothing is said by that. @param {any} value @returns {any} */
function plain(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value ?? null;
  const said = Object.entries(value).filter(([, one]) => one !== undefined && !(Array.isArray(one) && !one.length));
  return said.length ? Object.fromEntries(said.sort(([a], [b]) => (a < b ? -1 : 1))) : null;
}

/**
 * A tree of moves as a value: the start position, and the moves tried from each position. The first child of a node
 * is its main continuation, the others are variations. Each function returns a new tree and leaves the old one unchanged.
 * Knows no rules, no element and no address.
 *
 * @typedef {{nags?: number[], clock?: number, comments?: string[], before?: string[]}} Notes   on a move: its NAGs,
 *   the mover's clock (ms), comments after it, and comments before it at the start of a variation
 * @typedef {{uci: string, san: string, fen: string, check: boolean, notes?: Notes}} PlayedMove   a move, and the position after it
 * @typedef {PlayedMove & {id: number, parent: number, children: readonly number[]}} Node   the root has no move: uci ''
 * @typedef {{nodes: ReadonlyMap<number, Node>, next: number}} Tree
 * @typedef {(string | number)[]} Steps   a tree as one list: UCI moves, and numbers of half-moves to take back
 * @typedef {{node: Node, ply: number, variations: Outline[]}} OutlineMove   variations: alternatives to this move
 * @typedef {OutlineMove[]} Outline   one line, with variations attached to the moves that they replace
 */

export const ROOT = 0;
/** How far back repetitions are looked for, in half-moves; the server judges at most 600 at once. */
const LONGEST_WAY = 400;

/** @param {string} fen @param {boolean} check @returns {Tree} */
export const newTree = (fen, check) => ({
  nodes: new Map([[ROOT, { id: ROOT, parent: ROOT, uci: '', san: '', fen, check, children: [] }]]),
  next: ROOT + 1,
});

/** @param {Tree} tree @param {number} id @returns {Node} */
export function nodeAt(tree, id) {
  const node = tree.nodes.get(id);
  if (!node) throw new Error(`The tree has no node ${id}`);
  return node;
}

/** @param {Tree} tree @param {number} at @param {string} uci @returns {number | null} the node after that move */
export const childByUci = (tree, at, uci) =>
  nodeAt(tree, at).children.find(child => nodeAt(tree, child).uci === uci) ?? null;

/** @param {Tree} tree @param {string[]} way UCI moves from the root @returns {number} the node they lead to, as far as the tree has them */
export function endOfWay(tree, way) {
  let at = ROOT;
  for (const uci of way) {
    const next = childByUci(tree, at, uci);
    if (next === null) return at;
    at = next;
  }
  return at;
}

/** @param {Tree} tree @param {number} at @param {PlayedMove} reached @returns {{tree: Tree, at: number}} */
export function addMove(tree, at, reached) {
  const known = childByUci(tree, at, reached.uci);
  if (known !== null) return { tree: noted(tree, known, reached.notes), at: known };
  const { uci, san, fen, check, notes = {} } = reached;
  const parent = nodeAt(tree, at);
  const nodes = new Map(tree.nodes);
  nodes.set(at, { ...parent, children: [...parent.children, tree.next] });
  nodes.set(tree.next, { id: tree.next, parent: at, uci, san, fen, check, notes, children: [] });
  return { tree: { nodes, next: tree.next + 1 }, at: tree.next };
}

/** Adds the notes on a move that is played a second time. @param {Tree} tree @param {number} id @param {Notes} [more] @returns {Tree} */
function noted(tree, id, more = {}) {
  if (!Object.keys(more).length) return tree;
  const { notes = {} } = nodeAt(tree, id);
  /** @type {(name: 'comments' | 'before') => string[]} */
  const both = name => [...(notes[name] ?? []), ...(more[name] ?? [])];
  const nags = [...new Set([...(notes.nags ?? []), ...(more.nags ?? [])])];
  return withNotes(tree, id, { ...more, ...notes, nags, comments: both('comments'), before: both('before') });
}

/** Changes some of the notes on a move. @param {Tree} tree @param {number} id @param {Notes} changed @returns {Tree} */
export function withNotes(tree, id, changed) {
  const node = nodeAt(tree, id);
  return { ...tree, nodes: new Map(tree.nodes).set(id, { ...node, notes: { ...node.notes, ...changed } }) };
}

/** @param {Tree} tree @param {number} id @returns {Node[]} the moves from the root to that node */
export function pathTo(tree, id) {
  const path = [];
  for (let at = id; at !== ROOT; at = nodeAt(tree, at).parent) path.unshift(nodeAt(tree, at));
  return path;
}

/** @param {Tree} tree @param {number} id @returns {string[]} the positions from the root to that node, as FENs */
export const fensTo = (tree, id) => [nodeAt(tree, ROOT), ...pathTo(tree, id)].map(({ fen }) => fen);

/**
 * The path to a node since the last irreversible move, on which alone the same position can have occurred before.
 * @param {Tree} tree @param {number} id @returns {{fen: string, steps: string[]}} its start, and its moves in UCI
 */
export function repeatablePath(tree, id) {
  const way = [nodeAt(tree, ROOT), ...pathTo(tree, id)];
  const undoable = Number(nodeAt(tree, id).fen.split(' ').at(-2)) || 0;
  const [first, ...moves] = way.slice(-1 - Math.min(undoable, LONGEST_WAY));
  return { fen: first.fen, steps: moves.map(({ uci }) => uci) };
}

/** The end of the path to a node, `plies` half-moves at most. @param {Tree} tree @param {number} id @param {number} plies
 * @returns {{fen: string, moves: string[]}} its start, and its moves in UCI */
export function recentPath(tree, id, plies) {
  const [first, ...moves] = [nodeAt(tree, ROOT), ...pathTo(tree, id)].slice(-1 - plies);
  return { fen: first.fen, moves: moves.map(({ uci }) => uci) };
}

/** @param {Tree} tree @param {number} id @returns {Node[]} the moves up to a node and its main continuation */
export function lineThrough(tree, id) {
  const line = pathTo(tree, id);
  for (let [next] = nodeAt(tree, id).children; next !== undefined; [next] = nodeAt(tree, next).children)
    line.push(nodeAt(tree, next));
  return line;
}

/** @param {Tree} tree @param {number} id @returns {number} the end of the line that goes through a node */
export const endOf = (tree, id) => lineThrough(tree, id).at(-1)?.id ?? ROOT;

/** @param {Tree} tree @param {number} id @param {number} by @returns {number} an alternative to its move, or itself */
export function sibling(tree, id, by) {
  if (id === ROOT) return id;
  const { children } = nodeAt(tree, nodeAt(tree, id).parent);
  return children[children.indexOf(id) + by] ?? id;
}

/** The first move of the innermost variation that contains a node; null: it is on the main line. @param {Tree} tree @param {number} id @returns {number | null} */
export function enclosingVariation(tree, id) {
  const found = pathTo(tree, id).findLast(node => nodeAt(tree, node.parent).children[0] !== node.id);
  return found?.id ?? null;
}

/** Makes the innermost variation that contains a node the main continuation.
 * @param {Tree} tree @param {number} id @returns {Tree} */
export function promote(tree, id) {
  const first = enclosingVariation(tree, id);
  if (first === null) return tree;
  const parent = nodeAt(tree, nodeAt(tree, first).parent);
  const children = [first, ...parent.children.filter(child => child !== first)];
  return { ...tree, nodes: new Map(tree.nodes).set(parent.id, { ...parent, children }) };
}

/** Deletes a move and everything after it. @param {Tree} tree @param {number} id @returns {{tree: Tree, at: number}} */
export function deleteFrom(tree, id) {
  if (id === ROOT) return { tree, at: ROOT };
  const parent = nodeAt(tree, nodeAt(tree, id).parent);
  const nodes = new Map(tree.nodes);
  nodes.set(parent.id, { ...parent, children: parent.children.filter(child => child !== id) });
  for (const gone = [id]; gone.length; ) {
    const next = /** @type {number} */ (gone.pop());
    gone.push(...nodeAt(tree, next).children);
    nodes.delete(next);
  }
  return { tree: { ...tree, nodes }, at: parent.id };
}

/** All nodes but the root, in the order of `stepsOf`. @param {Tree} tree @returns {{node: Node, ply: number}[]} */
export function inOrder(tree) {
  const found = [];
  for (const waiting = [{ id: ROOT, ply: 0 }]; waiting.length; ) {
    const { id, ply } = /** @type {{id: number, ply: number}} */ (waiting.pop());
    const node = nodeAt(tree, id);
    if (id !== ROOT) found.push({ node, ply });
    waiting.push(...[...node.children].reverse().map(child => ({ id: child, ply: ply + 1 })));
  }
  return found;
}

/** @param {Tree} tree @returns {Steps} */
export function stepsOf(tree) {
  /** @type {Steps} */
  const steps = [];
  let before = 0;
  for (const { node, ply } of inOrder(tree)) {
    if (ply <= before) steps.push(before - ply + 1);
    steps.push(node.uci);
    before = ply;
  }
  return steps;
}

/**
 * The tree that a list of steps describes.
 * @param {Tree} tree gives only its root @param {Steps} steps must not take back more than was played
 * @param {PlayedMove[]} reached the position after each of their moves, in the same order
 * @returns {{tree: Tree, ids: number[]}} ids: the node after each move
 */
export function treeFromSteps(tree, steps, reached) {
  const root = nodeAt(tree, ROOT);
  /** @type {{tree: Tree, at: number}} */
  let grown = { tree: newTree(root.fen, root.check), at: ROOT };
  const ids = [];
  for (const step of steps)
    if (typeof step === 'number')
      for (let n = step; n > 0; n--) grown = { ...grown, at: nodeAt(grown.tree, grown.at).parent };
    else {
      grown = addMove(grown.tree, grown.at, reached[ids.length]);
      ids.push(grown.at);
    }
  return { tree: grown.tree, ids };
}

/** @param {Tree} tree @returns {Outline} the main line with all variations */
export const outline = tree => {
  const [first] = nodeAt(tree, ROOT).children;
  return first === undefined ? [] : outlineFrom(tree, first, 1, nodeAt(tree, ROOT).children.slice(1));
};

/** @param {Tree} tree @param {number} id @param {number} ply @param {readonly number[]} instead @returns {Outline} */
function outlineFrom(tree, id, ply, instead) {
  /** @type {Outline} */
  const line = [];
  let others = instead;
  for (let at = id; at !== undefined; ply++) {
    const node = nodeAt(tree, at);
    const depth = ply;
    line.push({ node, ply, variations: others.map(other => outlineFrom(tree, other, depth, [])) });
    [at, ...others] = node.children;
  }
  return line;
}

/**
 * Conditional moves as a tree: its lines, and what may be in it. Pure; the server judges it.
 *
 * @import { Side } from '../net/messages.js'
 * @import { GameState } from './model.js'
 * @import { Node, PlayedMove, Steps, Tree } from './tree.js'
 */
import { halfMovesBefore, moveNumber } from '../board/position.js';
import { turn, turnOf } from './model.js';
import { isByDays } from './terms.js';
import { ROOT, addMove, childByUci, deleteFrom, inOrder, nodeAt, pathTo } from './tree.js';

/** Whether this person may prepare answers now: the opponent is to move, and nobody waits at the board.
 * @param {GameState} state */
export const canPrepare = state =>
  state.you !== null && state.status === 'live' && isByDays(state) && turn(state) !== state.you;

/** @param {Steps} steps @returns {number} of lines */
export const countLines = steps => (steps.length ? 1 + steps.filter(step => typeof step === 'number').length : 0);

/** @param {Tree} tree @returns {Node[][]} every line from the root to its end */
export const linesOf = tree =>
  inOrder(tree)
    .filter(({ node }) => !node.children.length)
    .map(({ node }) => pathTo(tree, node.id));

/** @param {Tree} tree @param {Node[]} line @returns {string} "1... c5 2. Nf3" */
export function lineText(tree, line) {
  const before = halfMovesBefore(nodeAt(tree, ROOT).fen);
  return line
    .map(({ san }, index) => [moveNumber(before + index, index === 0), san].filter(Boolean).join(' '))
    .join(' ');
}

/**
 * Adds a move. This person's answer replaces the one that they had there before.
 * @param {Tree} tree @param {number} at @param {PlayedMove} reached @param {Side | null} you
 */
export function withMove(tree, at, reached, you) {
  const { fen, children } = nodeAt(tree, at);
  const others = turnOf(fen) === you ? children.filter(child => nodeAt(tree, child).uci !== reached.uci) : [];
  const cleared = others.reduce((left, child) => deleteFrom(left, child).tree, tree);
  return addMove(cleared, at, reached);
}

/** Deletes what belongs to one line alone. @param {Tree} tree @param {Node[]} line */
export function withoutLine(tree, line) {
  const branching = line.findLast(({ parent }) => nodeAt(tree, parent).children.length > 1) ?? line[0];
  return deleteFrom(tree, branching.id).tree;
}

/** What a tree answers to the opponent's move. @param {Tree} tree @param {string} uci @returns {string | null} UCI; null: nothing */
export function answerTo(tree, uci) {
  const played = childByUci(tree, ROOT, uci);
  const [answer] = played === null ? [] : nodeAt(tree, played).children;
  return answer === undefined ? null : nodeAt(tree, answer).uci;
}

/** Without the opponent's moves that have no answer. @param {Tree} tree @param {Side | null} you @returns {Tree} */
export const answered = (tree, you) =>
  inOrder(tree)
    .filter(({ node }) => !node.children.length && turnOf(node.fen) === you)
    .reduce((left, { node }) => deleteFrom(left, node.id).tree, tree);

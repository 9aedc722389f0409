/**
 * What somebody writes on the move that is shown: a comment, and glyphs for the move and for the position after it. At the
 * start it is a comment on the whole game. Knows no element.
 *
 * @import { Study } from '../study.js'
 */
import { ROOT, nodeAt, withNotes } from '../../game/tree.js';

/** NAGs of which a move has at most one each: how good it is, and how the position stands after it. */
const GROUPS = [
  [1, 2, 3, 4, 5, 6, 7],
  [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
];
/** Commands for programs, such as [%cal Ge2e4], which nobody sees and no edit may lose. */
const COMMAND = /\[%[^\]]*\]/g;

/** @param {Study} study @returns {string[]} */
const stored = ({ tree, at, info }) => (at === ROOT ? info?.comments : nodeAt(tree, at).notes?.comments) ?? [];

/** @param {Study} study @returns {string} the comment as people read it */
export const commentAt = study =>
  stored(study)
    .map(text => text.replace(COMMAND, '').trim())
    .filter(Boolean)
    .join(' ');

/** @param {Study} study @returns {readonly number[]} */
export const nagsAt = ({ tree, at }) => nodeAt(tree, at).notes?.nags ?? [];

/** @param {Study} study @param {string} text '' removes it @returns {Study | null} null: nothing changes */
export function withComment(study, text) {
  const written = text.replace(/\s+/g, ' ').trim();
  if (written === commentAt(study)) return null;
  const commands = stored(study).flatMap(one => one.match(COMMAND) ?? []);
  const whole = [...commands, written].filter(Boolean).join(' ');
  const comments = whole ? [whole] : [];
  const { tree, at, info } = study;
  if (at === ROOT) return { ...study, info: { ...(info ?? { tags: {}, result: '*' }), comments } };
  return { ...study, tree: withNotes(tree, at, { comments }) };
}

/** Sets a glyph, in place of another of its kind, or takes it away. @param {Study} study @param {number} nag @returns {Study | null} null: no move is shown */
export function withNag(study, nag) {
  if (study.at === ROOT) return null;
  const [before, group] = [nagsAt(study), GROUPS.find(one => one.includes(nag)) ?? [nag]];
  const others = before.filter(one => !group.includes(one));
  const nags = before.includes(nag) ? others : [...others, nag].sort((a, b) => a - b);
  return { ...study, tree: withNotes(study.tree, study.at, { nags }) };
}

/** Whether the study says more than an address has room for. @param {Study} study */
export const isAnnotated = ({ tree, info }) =>
  Boolean(info?.comments.length) ||
  [...tree.nodes.values()].some(
    ({ notes = {} }) => notes.nags?.length || notes.comments?.length || notes.before?.length,
  );

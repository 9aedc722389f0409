/** Two changes of one study become one: what only one has changed is as they left it, and nothing is lost without a word. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeStudies } from '../../../static/js/analysis/merge.js';
import { newStudy } from '../../../static/js/analysis/study.js';
import {
  deleteFrom,
  endOfWay,
  nodeAt,
  promote,
  ROOT,
  stepsOf,
  treeFromSteps,
  withNotes,
} from '../../../static/js/game/tree.js';

const played = uci => ({ uci, san: uci, fen: `after ${uci}`, check: false });
/** A study of these steps, the numbers of which take back. */
function study(text, changes = {}) {
  const steps = text ? text.split(' ').map(step => (/^\d$/.test(step) ? Number(step) : step)) : [];
  const { tree } = treeFromSteps(
    newStudy('start', false).tree,
    steps,
    steps.filter(step => typeof step === 'string').map(played),
  );
  return { ...newStudy('start', false), tree, ...changes };
}
const at = (one, ...way) => endOfWay(one.tree, way);
const without = (one, ...way) => ({ ...one, tree: deleteFrom(one.tree, at(one, ...way)).tree });
const noted = (one, comment, ...way) => ({
  ...one,
  tree: withNotes(one.tree, at(one, ...way), { comments: [comment] }),
});
const steps = one => stepsOf(one.tree).join(' ');
const comment = (one, ...way) => nodeAt(one.tree, at(one, ...way)).notes?.comments?.[0];

const BASE = 'e4 e5 Nf3 2 c5';
for (const [what, mine, theirs, merged] of [
  ['nobody changed anything', BASE, BASE, BASE],
  ['one went on', BASE, 'e4 e5 Nf3 Nc6 3 c5', 'e4 e5 Nf3 Nc6 3 c5'],
  ['both went on, elsewhere', 'e4 e5 Nf3 2 c5 Nf3', 'e4 e5 Nf3 Nc6 3 c5', 'e4 e5 Nf3 Nc6 3 c5 Nf3'],
  ['both went on from the same move', 'e4 e5 Nf3 Nf6 3 c5', 'e4 e5 Nf3 Nc6 3 c5', 'e4 e5 Nf3 Nf6 1 Nc6 3 c5'],
  ['both made the same move', 'e4 e5 Nf3 Nc6 3 c5', 'e4 e5 Nf3 Nc6 3 c5', 'e4 e5 Nf3 Nc6 3 c5'],
  ['they deleted what I left', BASE, 'e4 e5 Nf3', 'e4 e5 Nf3'],
  ['I deleted what they left', 'e4 c5', BASE, 'e4 c5'],
  ['they deleted where I went on', 'e4 e5 Nf3 2 c5 d4', 'e4 e5 Nf3', 'e4 e5 Nf3 2 c5 d4'],
  ['I deleted where they went on', 'e4 e5 Nf3', 'e4 e5 Nf3 2 c5 d4', 'e4 e5 Nf3 2 c5 d4'],
  ['both deleted it', 'e4 e5 Nf3', 'e4 e5 Nf3', 'e4 e5 Nf3'],
])
  test(`moves: ${what}`, () => {
    const found = mergeStudies(study(BASE), study(mine), study(theirs));
    assert.equal(steps(found), steps(study(merged)));
    // Every node is whole, and belongs to its parent.
    for (const node of found.tree.nodes.values())
      if (node.id !== ROOT) assert.ok(nodeAt(found.tree, node.parent).children.includes(node.id));
  });

test('what one has brought to the front is there, whoever it was', () => {
  const base = study(BASE);
  const front = { ...base, tree: promote(base.tree, at(base, 'e4', 'c5')) };
  assert.equal(steps(mergeStudies(base, base, front)), 'e4 c5 1 e5 Nf3');
  assert.equal(steps(mergeStudies(base, front, base)), 'e4 c5 1 e5 Nf3');
});

test('of comments that of who changed it counts, and of two one’s own', () => {
  const base = noted(study(BASE), 'old', 'e4');
  const [mine, theirs] = [noted(base, 'mine', 'e4'), noted(base, 'theirs', 'e4')];
  assert.equal(comment(mergeStudies(base, base, theirs), 'e4'), 'theirs');
  assert.equal(comment(mergeStudies(base, mine, base), 'e4'), 'mine');
  assert.equal(comment(mergeStudies(base, mine, theirs), 'e4'), 'mine');
  // A comment is a change of what somebody else has deleted.
  assert.equal(steps(mergeStudies(base, noted(base, 'why', 'e4', 'c5'), without(base, 'e4', 'c5'))), steps(base));
  const said = { tags: {}, result: '*', comments: ['all'] };
  assert.deepEqual(mergeStudies(base, base, { ...base, info: said }).info, said);
});

test('one stays where one was, and one’s moves keep their ids', () => {
  const base = study(BASE);
  const mine = { ...base, at: at(base, 'e4', 'c5') };
  const found = mergeStudies(base, mine, study('d4 1 e4 e5 Nf3 2 c5'));
  assert.equal(found.at, mine.at);
  assert.equal(nodeAt(found.tree, found.at).uci, 'c5');
  assert.equal(nodeAt(found.tree, at(found, 'd4')).id, mine.tree.next);
  // Whose position is gone stands at the last one before it.
  const gone = mergeStudies(base, mine, without(base, 'e4', 'c5'));
  assert.equal(nodeAt(gone.tree, gone.at).uci, 'e4');
});

test('what begins in another position cannot be merged', () => {
  const other = newStudy('elsewhere', false);
  assert.equal(mergeStudies(study(''), study('e4'), other), null);
  assert.equal(mergeStudies(study(''), study('e4'), { ...study(''), chess960: true }), null);
});

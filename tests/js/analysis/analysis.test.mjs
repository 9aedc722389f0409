/** What an analysis is made of: the tree of moves, the address that holds it, and the PGN that is written from it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksForReport } from '../../../static/js/analysis/report_link.js';
import { MOST_STEPS, readFragment, writeFragment } from '../../../static/js/game/fragment.js';
import { moveNumber } from '../../../static/js/board/position.js';
import { glyph, writePgn } from '../../../static/js/analysis/pgn.js';
import {
  ROOT,
  childByUci,
  endOf,
  addMove,
  lineThrough,
  nodeAt,
  outline,
  pathTo,
  newTree,
  promote,
  deleteFrom,
  treeFromSteps,
  sibling,
  stepsOf,
  enclosingVariation,
  repeatablePath,
} from '../../../static/js/game/tree.js';
import { chess } from '../variants.mjs';

const reached = uci => ({ uci, san: uci.slice(2), fen: `after ${uci}`, check: false });
const ucis = line => line.map(({ uci }) => uci);

/** A tree from its steps, and the node of each move by its UCI. */
function treeOf(...steps) {
  const moves = steps.filter(step => typeof step === 'string');
  const { tree, ids } = treeFromSteps(newTree(chess.startFen, false), steps, moves.map(reached));
  return { tree, id: uci => ids[moves.indexOf(uci)] };
}
const STEPS = ['e2e4', 'e7e5', 'g1f3', 2, 'c7c5', 'g1f3', 'd7d6', 4, 'd2d4', 'd7d5'];
const { tree, id } = treeOf(...STEPS);

test('the same move twice is one node, another move is a variation', () => {
  const first = addMove(newTree('start', false), ROOT, reached('e2e4'));
  assert.equal(addMove(first.tree, ROOT, reached('e2e4')).tree, first.tree);
  const second = addMove(first.tree, ROOT, reached('d2d4'));
  assert.deepEqual(
    [childByUci(second.tree, ROOT, 'e2e4'), childByUci(second.tree, ROOT, 'd2d4')],
    [first.at, second.at],
  );
  assert.deepEqual(nodeAt(first.tree, ROOT).children, [first.at], 'the older tree is as it was');
});

test('the main line is the first of each, a line through a variation keeps to it', () => {
  assert.deepEqual(ucis(lineThrough(tree, ROOT)), ['e2e4', 'e7e5', 'g1f3']);
  assert.deepEqual(ucis(lineThrough(tree, id('c7c5'))), ['e2e4', 'c7c5', 'g1f3', 'd7d6']);
  assert.deepEqual(ucis(pathTo(tree, id('c7c5'))), ['e2e4', 'c7c5']);
  assert.equal(endOf(tree, id('c7c5')), id('d7d6'));
  assert.equal(endOf(newTree('start', false), ROOT), ROOT);
});

test('the same position can have stood only since the last move that cannot be undone', () => {
  const plies = ['e2e4', 'e7e5', 'g1f3', 'g8f6', 'f3g1'].map((uci, at) => ({
    ...reached(uci),
    fen: `${at} w - - ${Math.max(0, at - 1)} 1`,
  }));
  const { tree: line, ids } = treeFromSteps(
    newTree(chess.startFen, false),
    plies.map(({ uci }) => uci),
    plies,
  );
  assert.deepEqual(repeatablePath(line, ids[4]), { fen: plies[1].fen, steps: ['g1f3', 'g8f6', 'f3g1'] });
  assert.deepEqual(repeatablePath(line, ids[1]), { fen: plies[1].fen, steps: [] });
  assert.deepEqual(repeatablePath(line, ROOT), { fen: chess.startFen, steps: [] });
});

test('a variation is promoted at its own place, step by step to the very front', () => {
  assert.equal(enclosingVariation(tree, id('d7d6')), id('c7c5'));
  assert.equal(enclosingVariation(tree, id('e7e5')), null);
  const promoted = promote(tree, id('d7d6'));
  assert.deepEqual(ucis(lineThrough(promoted, ROOT)), ['e2e4', 'c7c5', 'g1f3', 'd7d6']);
  assert.deepEqual(ucis(lineThrough(tree, ROOT)), ['e2e4', 'e7e5', 'g1f3'], 'the older tree is as it was');
  assert.equal(promote(promoted, id('d7d6')), promoted, 'nothing is left to promote');
});

test('what is deleted goes with all that follows, and nothing else', () => {
  const { tree: left, at } = deleteFrom(tree, id('c7c5'));
  assert.equal(at, id('e2e4'));
  assert.deepEqual(stepsOf(left), ['e2e4', 'e7e5', 'g1f3', 3, 'd2d4', 'd7d5']);
  assert.equal(left.nodes.size, 6);
  assert.throws(() => nodeAt(left, id('d7d6')));
  assert.deepEqual(deleteFrom(tree, ROOT), { tree, at: ROOT });
});

test('siblings are the moves tried at one place, and the ends stay', () => {
  assert.equal(sibling(tree, id('e2e4'), 1), id('d2d4'));
  assert.equal(sibling(tree, id('d2d4'), 1), id('d2d4'));
  assert.equal(sibling(tree, id('e2e4'), -1), id('e2e4'));
  assert.equal(sibling(tree, ROOT, 1), ROOT);
});

test('a tree is the same after it was a row of steps', () => {
  assert.deepEqual(stepsOf(tree), STEPS);
  const again = treeOf(...stepsOf(promote(tree, id('c7c5')))).tree;
  assert.deepEqual(stepsOf(again), ['e2e4', 'c7c5', 'g1f3', 'd7d6', 3, 'e7e5', 'g1f3', 3, 'd2d4', 'd7d5']);
});

test('a variation hangs on the move that it replaces', () => {
  const main = outline(tree);
  assert.deepEqual(
    main.map(({ node }) => node.uci),
    ['e2e4', 'e7e5', 'g1f3'],
  );
  assert.deepEqual(
    main.map(({ variations }) => variations.length),
    [1, 1, 0],
  );
  assert.deepEqual(
    main[1].variations[0].map(({ node, ply }) => [node.uci, ply]),
    [
      ['c7c5', 2],
      ['g1f3', 3],
      ['d7d6', 4],
    ],
  );
  assert.deepEqual(outline(newTree('start', false)), []);
});

test('PGN holds the variations in brackets, with the numbers that readers need', () => {
  const text = writePgn({ White: 'A "B" \\ C', Result: '*' }, chess.startFen, outline(tree));
  assert.equal(
    text,
    '[White "A \\"B\\" \\\\ C"]\n[Result "*"]\n\n1. e4 (1. d4 d5) 1... e5 (1... c5 2. f3 d6) 2. f3 *\n',
  );
});

test('PGN holds what is said of the moves', () => {
  const said = { nags: [1, 14], clock: 3_723_450, comments: ['good', 'a } b'], before: [] };
  const first = addMove(newTree('start', false), ROOT, { ...reached('e2e4'), notes: said });
  const second = addMove(first.tree, ROOT, { ...reached('d2d4'), notes: { before: ['or'] } });
  const third = addMove(second.tree, first.at, reached('e7e5'));
  assert.equal(
    writePgn({ Result: '1-0' }, chess.startFen, outline(third.tree), ['a game']),
    '[Result "1-0"]\n\n{ a game } 1. e4 $1 $14 { [%clk 1:02:03.45] good } ;a } b\n({ or } 1. d4) 1... e5 1-0\n',
  );
});

test('what is said of the same move in two places is kept', () => {
  const first = addMove(newTree('start', false), ROOT, { ...reached('e2e4'), notes: { nags: [1], comments: ['one'] } });
  const again = addMove(first.tree, ROOT, { ...reached('e2e4'), notes: { nags: [1, 3], comments: ['two'] } });
  assert.equal(again.at, first.at);
  assert.deepEqual(nodeAt(again.tree, again.at).notes, { nags: [1, 3], comments: ['one', 'two'], before: [] });
});

test('glyphs are shown as people write them', () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6, 16, 99].map(glyph), ['!', '?', '!!', '??', '!?', '?!', '±', '$99']);
});

test('PGN counts on from the start position, Black first if Black is to move', () => {
  const start = 'k7/8/8/8/8/8/8/K7 b - - 4 17';
  const { tree: late } = treeOf('a8b8', 'a1b1', 2, 'a8a7');
  assert.match(writePgn({}, start, outline(late)), /\n17\.\.\. b8 \(17\.\.\. a7\) 18\. b1 \*\n$/);
  assert.deepEqual([moveNumber(0, false), moveNumber(1, false), moveNumber(1, true)], ['1.', '', '1...']);
});

test('PGN lines are not too wide, and no line break gets into a tag', () => {
  const long = treeOf(...Array.from({ length: 80 }, (_, i) => `a${i + 1}b${i + 1}`)).tree;
  const text = writePgn({ Event: 'two\nlines', Result: '*' }, chess.startFen, outline(long));
  assert.match(text, /^\[Event "two lines"\]\n/);
  assert.ok(text.split('\n').every(line => line.length <= 80));
});

const LINES = [
  { fen: null, chess960: false, steps: [], shown: null },
  { fen: null, chess960: false, steps: STEPS, shown: 4 },
  {
    fen: 'r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R[Qqnn] b - - 3 12',
    chess960: false,
    steps: ['P@a4', 'a10b12', 2, 'e7e8+'],
    shown: 0,
  },
  { fen: 'rnb+fkbnr/p~7/8/8/8/8/8/RNB+FKBNR[] w HAha a6 0 1', chess960: true, steps: ['h7h8q', 'b1c3h'], shown: null },
];
for (const line of LINES)
  test(`a link says the same to whoever opens it: ${writeFragment(line)}`, () => {
    const text = writeFragment(line);
    assert.deepEqual(readFragment(text), line);
    assert.equal(new URL(`http://x/y#${text}`).hash.slice(1), text, 'browsers leave it as it is');
    assert.match(text, /^$|[\w=]$/, 'it ends in no sign that a chat program cuts off');
  });

const HOSTILE = [
  'm=e2e4.',
  'm=.e2e4',
  'm=e2e4..e7e5',
  'm=e2e4.0.e7e5',
  'm=e2e4.2.e7e5',
  'm=1.e2e4',
  'm=e2e4.1',
  'm=e2e4.1000.e7e5',
  'm=e2e4.<img src=x>',
  'm=e2e4.P@',
  'm=z2z4',
  'm=e2e4&m=d2d4',
  'm=e2e4&q=1',
  'me2e4',
  'x=2',
  'x=',
  'p=1',
  'm=e2e4&p=2',
  'm=e2e4&p=-1',
  'm=e2e4&p=1e2',
  'f=',
  'f=%',
  'f=%E0%A4%A',
  'f=%00',
  `f=${'8'.repeat(201)}`,
  'f=ü',
  '__proto__',
  '&',
  'p23',
  `m=${Array(MOST_STEPS + 1)
    .fill('a1a2')
    .join('.')}`,
  `m=${'a1a2.'.repeat(5000)}a1a2`,
];
test('an address asks for a report, and by which engine', () => {
  for (const [hash, by] of [
    ['#report', 'own'],
    ['#report-strong', 'strong'],
    ['#m=e2e4&r=1', 'own'],
    ['#m=e2e4&r=2', 'strong'],
    ['#m=e2e4', null],
    ['#m=e2e4&r=3', null],
    ['', null],
  ])
    assert.equal(asksForReport(hash), by, hash);
  assert.deepEqual(readFragment('m=e2e4&r=2')?.steps, ['e2e4']);
  assert.equal(readFragment('m=e2e4&r=3'), null);
});

for (const text of HOSTILE)
  test(`a text that is no such link is refused: ${text.slice(0, 40)}`, () => assert.equal(readFragment(text), null));

/** Conditional moves as they are entered: whose move is next, and what is sent. */
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  answerTo,
  answered,
  canPrepare,
  countLines,
  lineText,
  linesOf,
  withMove,
  withoutLine,
} from '../../../static/js/game/conditional.js';
import { fromSnapshot } from '../../../static/js/game/model.js';
import { reduce } from '../../../static/js/game/reduce.js';
import { ROOT, newTree, stepsOf } from '../../../static/js/game/tree.js';
import { snapshot } from '../snapshot.mjs';

const AFTER_E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';

/** White's tree after 1. e4, one move after the other; only the side to move of a FEN matters here. */
function grown(...lines) {
  let tree = newTree(AFTER_E4, false);
  for (const line of lines) {
    let at = ROOT;
    for (const [index, san] of line.split(' ').entries()) {
      const fen = `${san} ${index % 2 ? 'b' : 'w'} - - 0 1`;
      ({ tree, at } = withMove(tree, at, { uci: san, san, fen, check: false }, 'white'));
    }
  }
  return tree;
}

const texts = tree => linesOf(tree).map(line => lineText(tree, line));

test('lines are written with the numbers of the moves', () => {
  const tree = grown('c5 Nf3 d6 d4', 'c5 Nf3 Nc6 Bb5', 'e6 d4');
  assert.deepEqual(texts(tree), ['1... c5 2. Nf3 d6 3. d4', '1... c5 2. Nf3 Nc6 3. Bb5', '1... e6 2. d4']);
  assert.equal(countLines(stepsOf(tree)), 3);
  assert.equal(countLines([]), 0);
});

test('another answer replaces the one before, with all that followed it', () => {
  assert.deepEqual(texts(grown('c5 Nf3 d6 d4', 'c5 Nc3')), ['1... c5 2. Nc3']);
});

test('a line that is removed leaves what it shares with others', () => {
  const tree = grown('c5 Nf3 d6 d4', 'c5 Nf3 Nc6 Bb5', 'e6 d4');
  const [first, , last] = linesOf(tree);
  assert.deepEqual(texts(withoutLine(tree, first)), ['1... c5 2. Nf3 Nc6 3. Bb5', '1... e6 2. d4']);
  assert.deepEqual(texts(withoutLine(tree, last)), ['1... c5 2. Nf3 d6 3. d4', '1... c5 2. Nf3 Nc6 3. Bb5']);
  const one = grown('c5 Nf3');
  assert.deepEqual(stepsOf(withoutLine(one, linesOf(one)[0])), []);
});

test("the opponent's moves without an answer are left out when the moves are saved", () => {
  assert.deepEqual(stepsOf(answered(grown('c5 Nf3 d6', 'e6'), 'white')), ['c5', 'Nf3']);
});

test('an answer is known to a move that was thought of, and to no other', () => {
  const tree = grown('c5 Nf3 d6', 'e6');
  assert.deepEqual(
    ['c5', 'e6', 'd5', ''].map(uci => answerTo(tree, uci)),
    ['Nf3', null, null, null],
  );
});

test('moves are prepared in correspondence games, by the player who waits', () => {
  const days = { ...snapshot(), days: 3, you: 'white', status: 'live', fen: AFTER_E4 };
  const able = changes => canPrepare(fromSnapshot({ ...days, ...changes }, 0));
  assert.equal(able({}), true);
  for (const changes of [{ you: 'black' }, { you: undefined }, { days: undefined }, { status: 'over' }])
    assert.equal(able(changes), false, JSON.stringify(changes));
});

test('what is prepared follows the server', () => {
  let state = fromSnapshot({ ...snapshot(), conditional: ['c7c5', 'g1f3'] }, 0);
  assert.deepEqual(state.conditional, ['c7c5', 'g1f3']);
  state = reduce(state, { t: 'conditional', steps: [] }, 0);
  assert.deepEqual(state.conditional, []);
  state = reduce(state, { t: 'resumed', v: state.v, clock: state.clock, conditional: ['e7e5', 'd2d4'] }, 0);
  assert.deepEqual(state.conditional, ['e7e5', 'd2d4']);
});

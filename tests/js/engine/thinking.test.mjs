/** Limits, levels and what is left behind, without a process and with a clock turned by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFen, writeFen } from '../../../static/js/engine/rules/notation/fen.js';
import { compile } from '../../../static/js/engine/rules/tables.js';
import { Thinker } from '../../../static/js/engine/thinking.js';
import { all } from './variants.mjs';

const tables = compile(all.get('crazyhouse'));
const start = () => parseFen(tables, tables.variant.startFen);

/** What a generator returns in the end. */
function finished(work) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

test('thinking ends when its time is over, and within an iteration', () => {
  let now = 0;
  // Each look at the clock finds it one ms later.
  const thinker = new Thinker(tables, () => now++);
  const thoughts = [...thinker.think(start(), { time: 40 }, () => false)];
  assert.ok(now >= 24 && now <= 42, `${now} ms`);
  assert.ok(thoughts.at(-1).line.length > 0);
});

test('no depth is begun that would hardly be finished', () => {
  let now = 0;
  const thinker = new Thinker(tables, () => now);
  let thought = 0;
  for (const { depth } of thinker.think(start(), { time: 100 }, () => false)) {
    thought = depth;
    // The fifth ends after 64 ms: too late for a sixth.
    now = depth * 16;
  }
  assert.equal(thought, 5);
});

test('the position is as it was, also when the search was cut off', () => {
  const position = start();
  const before = [writeFen(position), position.low, position.high, position.ply];
  for (const nodes of [1, 10, 333, 2500]) {
    for (const _ of new Thinker(tables, () => 0).think(position, { nodes }, () => false))
      assert.deepEqual([writeFen(position), position.low, position.high, position.ply], before);
  }
});

test('it stops when told to, and has a move even then', () => {
  let asked = 0;
  const thinker = new Thinker(tables, () => 0);
  const thoughts = [...thinker.think(start(), {}, () => ++asked > 3)];
  assert.equal(asked, 4);
  assert.match(thoughts.at(-1).line[0], /^[a-h]/);
});

test('a lower level looks at fewer positions, and the same one plays the same', () => {
  const nodes = [1, 2, 3, 4, 5, 6, 7, 8].map(level => {
    const play = () => [...new Thinker(tables, () => 0).think(start(), { level }, () => false)].at(-1);
    const thought = play();
    if (level < 5) assert.deepEqual(play(), thought);
    return thought.nodes;
  });
  assert.deepEqual(
    nodes,
    [...new Set(nodes)].sort((one, other) => one - other),
  );
});

test('a game that is over has no thoughts', () => {
  const mated = parseFen(tables, 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR[] w KQkq - 1 3');
  assert.deepEqual([...new Thinker(tables, () => 0).think(mated, { depth: 2 }, () => false)], []);
});

test('a guess that is far off only costs time', () => {
  const lost = parseFen(tables, 'qqqqk3/8/8/8/8/8/8/4K3[] w - - 0 1');
  const { search } = new Thinker(tables, () => 0);
  for (const guess of [29_990, 0]) assert.ok(finished(search.iterate(lost, 4, guess)) < -2_500);
});

const chess = compile(all.get('chess'));
const thoughtsOf = (fen, limits, isStopped = () => false) => [
  ...new Thinker(chess, () => 0).think(parseFen(chess, fen), limits, isStopped),
];

test('a mate is looked for until it is found, or found not to be there', () => {
  const two = '7k/8/8/8/8/8/R7/1R5K w - - 0 1';
  assert.equal(thoughtsOf(two, { mate: 2 }).at(-1).mate, 2);
  const none = thoughtsOf(chess.variant.startFen, { mate: 1 });
  assert.equal(none.at(-1).mate, null);
  assert.ok(none.at(-1).depth <= 3);
});

test('only the moves that are named are thought about', () => {
  const limits = { depth: 4, moves: ['a2a3', 'h2h3', 'e2e5'], lines: 5 };
  const last = thoughtsOf(chess.variant.startFen, limits).slice(-2);
  assert.deepEqual(last.map(({ line }) => line[0]).sort(), ['a2a3', 'h2h3']);
  assert.ok(thoughtsOf(chess.variant.startFen, { depth: 2, moves: ['e2e5'] }).at(-1).line.length > 0);
});

test('who is stopped at any time shows no mate that nobody has seen', () => {
  for (let nodes = 1; nodes < 400; nodes++)
    for (const lines of [1, 3])
      for (const moves of [undefined, ['a2a3', 'g1f3', 'b1c3', 'e2e4']])
        for (const thought of thoughtsOf(chess.variant.startFen, { nodes, lines, moves, depth: 6 }))
          assert.ok(thought.mate === null, `${nodes} ${lines} ${thought.mate}`);
});

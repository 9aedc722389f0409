/** What Fairy-Stockfish is asked and says, as text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBest, readThought, writeAsked } from '../../../static/js/explain/strong_engine.js';

test('a line of thought is read', () => {
  const said =
    'info depth 12 seldepth 18 multipv 2 score cp -34 nodes 5000 nps 100000 hashfull 3 tbhits 0 time 50 pv e2e4 P@e5';
  assert.deepEqual(readThought(said), {
    depth: 12,
    deepest: 18,
    rank: 2,
    score: -34,
    mate: null,
    nodes: 5000,
    time: 50,
    line: ['e2e4', 'P@e5'],
  });
});

test('a mate is worth more than anything, and less the later it comes', () => {
  const worth = mate =>
    readThought(`info depth 3 seldepth 4 multipv 1 score mate ${mate} nodes 9 nps 9 time 1 pv a1a8`);
  assert.equal(worth(2).mate, 2);
  assert.ok(worth(2).score > worth(5).score && worth(5).score > 10_000);
  assert.ok(worth(-2).score < worth(-5).score && worth(-5).score < -10_000);
});

for (const said of [
  'info string variant our-chess files 8 pv e2e4 score',
  'info depth 5 currmove e2e4 currmovenumber 1',
  'info depth 5 seldepth 5 multipv 1 score cp 10 lowerbound nodes 5 time 1 pv e2e4',
  'readyok',
])
  test(`no thought: ${said}`, () => assert.equal(readThought(said), null));

test('the move on which it settles', () => {
  assert.equal(readBest('bestmove e7e8+ ponder a2a3'), 'e7e8+');
  assert.equal(readBest('bestmove (none)'), null);
  assert.equal(readBest('info depth 1'), undefined);
});

test('what it is asked', () => {
  const asked = { fen: 'FEN', moves: ['e2e4', 'e7e5'], chess960: true };
  assert.deepEqual(writeAsked({ ...asked, limits: { lines: 3, time: 100 } }), [
    'setoption name UCI_Chess960 value true',
    'setoption name MultiPV value 3',
    'position fen FEN moves e2e4 e7e5',
    'go movetime 100',
  ]);
  const threat = writeAsked({ ...asked, passed: 'PASSED', limits: { threat: true } });
  assert.deepEqual(threat.slice(2), ['position fen PASSED', 'go infinite']);
  assert.equal(writeAsked({ ...asked, limits: { nodes: 9, lines: 2 } }).at(-1), 'go nodes 9');
  assert.equal(writeAsked({ ...asked, limits: { depth: 2 } }).at(-1), 'go depth 2');
});

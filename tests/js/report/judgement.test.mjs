/** What a move loses, what that is called, and what comes of an exercise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chancesOf, scoreOf, speakScore, writeScore } from '../../../static/js/explain/scores.js';
import { beginWith, current, givenUp, judged, next, tried } from '../../../static/js/report/learning.js';
import { accuracyOf, phasesOf } from '../../../static/js/report/accuracy.js';
import { leadOf, lossOf, marksOf, mistakesIn, moverOf, tally } from '../../../static/js/report/judgement.js';
import { setCatalogue } from '../../../static/js/words.js';
import { english } from '../english.mjs';

setCatalogue(english);
const points = (value, line = ['x1x2']) => ({ score: { points: value, mate: null }, line });

test('chances grow with the points, are the same for both sides, and certain with a mate', () => {
  let before = 0;
  for (let value = -2000; value <= 2000; value += 50) {
    const chances = chancesOf({ points: value, mate: null });
    assert.ok(chances >= before && chances > 0 && chances < 1);
    assert.ok(Math.abs(chances + chancesOf({ points: -value, mate: null }) - 1) < 1e-9);
    before = chances;
  }
  assert.equal(chancesOf({ points: 29_995, mate: 3 }), 1);
  assert.equal(chancesOf({ points: -29_995, mate: -3 }), 0);
});

test('a score is White’s, whoever thought of it, and is written and said as such', () => {
  for (const [mover, sign] of [
    ['white', 1],
    ['black', -1],
  ]) {
    assert.deepEqual(scoreOf({ score: 140, mate: null }, mover), { points: sign * 140, mate: null });
    assert.deepEqual(scoreOf({ score: 29_997, mate: 2 }, mover), { points: sign * 29_997, mate: sign * 2 });
  }
  const written = [
    [140, null, '+1.4', 'White is better by 1.4'],
    [-140, null, '−1.4', 'Black is better by 1.4'],
    [4, null, '0.0', 'Even'],
    [-4, null, '0.0', 'Even'],
    [1234, null, '+12', 'White is better by 12'],
    [29_997, 2, '#2', 'White mates in 2'],
    [-29_997, -2, '#−2', 'Black mates in 2'],
  ];
  for (const [value, mate, text, words] of written) {
    assert.equal(writeScore({ points: value, mate }), text);
    assert.equal(speakScore({ points: value, mate }), words);
  }
});

test('a loss is never negative, and is the side’s own', () => {
  for (const [before, after] of [
    [0, 300],
    [300, 0],
    [-200, 900],
  ]) {
    const [one, other] = ['white', 'black'].map(side => lossOf(points(before).score, points(after).score, side));
    assert.ok(one >= 0 && other >= 0 && (one === 0 || other === 0));
    assert.ok(one + other > 0);
  }
});

test('mistakes are told by kind, and the best move is none whatever the engine thinks later', () => {
  const positions = [points(0), points(0), points(60), points(-200), points(-200, ['b1c3']), points(-2000)];
  const moves = ['a2a3', 'a7a6', 'a3a4', 'a6a5', 'b1c3'];
  const found = mistakesIn(positions, moves, true);
  assert.deepEqual(
    found.map(({ ply, kind }) => [ply, kind]),
    [
      [2, 'inaccuracy'],
      [3, 'blunder'],
    ],
  );
  const { white, black } = tally(positions, moves, true);
  assert.deepEqual([white.blunder, white.mistake, white.inaccuracy, white.good, white.moves], [1, 0, 0, 0, 3]);
  assert.deepEqual([black.blunder, black.mistake, black.inaccuracy, black.moves], [0, 0, 1, 2]);
  assert.deepEqual([moverOf(1, true), moverOf(1, false), moverOf(2, true)], ['white', 'black', 'black']);
});

test('a good move is the best one, hard to see, without which a mistake would have been made', () => {
  const [ahead, behind] = [points(300).score, points(-300).score];
  assert.ok(leadOf(ahead, behind) > 0.4);
  const positions = [
    { ...points(0, ['a2a3']), lead: 0.3 },
    { ...points(0, ['a7a6']), lead: 0.05 },
    { ...points(0, ['b2b3']), lead: 0.3 },
    points(0),
  ];
  assert.deepEqual([...marksOf(positions, ['a2a3', 'a7a6', 'h2h3'], true)], [[1, 'good']]);
  assert.equal(tally(positions, ['a2a3', 'a7a6', 'h2h3'], true).white.good, 1);
});

test('accuracy is whole without a loss, falls with each, and is each side’s own in each phase', () => {
  const phases = ['opening', 'opening', 'middlegame', 'middlegame'];
  const even = [0.5, 0.5, 0.5, 0.5, 0.5];
  assert.deepEqual(accuracyOf(even, [0, 0, 0, 0], phases, true), {
    white: { whole: 100, opening: 100, middlegame: 100 },
    black: { whole: 100, opening: 100, middlegame: 100 },
  });
  const { white, black } = accuracyOf([0.5, 0.5, 0.5, 0.2, 0.2], [0, 0, 0.3, 0], phases, true);
  assert.deepEqual([white.opening, black.whole, 'endgame' in white], [100, 100, false]);
  // 103.1668 * exp(-0.04354 * 30) - 3.1669 + 1, as lichess reckons a move that loses 30 % of the chances.
  assert.ok(Math.abs(white.middlegame - 25.8) < 0.1, white.middlegame);
  assert.ok(white.whole > white.middlegame && white.whole < 63, white.whole);
  const mirrored = accuracyOf([0.5, 0.5, 0.5, 0.8, 0.8], [0, 0, 0.3, 0], phases, false);
  assert.deepEqual([mirrored.white, mirrored.black], [black, white]);
});

test('the opening ends when a side is developed or pieces are gone, and no phase comes back', () => {
  const role = (royal = false, pawn = false) => ({ royal, pawn });
  const roles = { k: role(true), p: role(false, true), q: role(), r: role(), b: role(), n: role() };
  const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  const variant = { startFen: START, roles };
  const of = (...boards) =>
    phasesOf(
      variant,
      boards.map(board => `${board} w - - 0 1`),
    );
  const begun = START.split(' ')[0];
  assert.deepEqual(of(begun, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R'), ['opening', 'opening']);
  const developed = 'rnbqkbnr/pppppppp/8/8/2B1P3/2N2N2/PPPP1PPP/R1BQ1RK1';
  assert.deepEqual(of(begun, developed, begun), ['opening', 'middlegame', 'middlegame']);
  assert.deepEqual(of(begun, 'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'), ['opening', 'middlegame']);
  assert.deepEqual(of(begun, 'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R', developed), ['opening', 'endgame', 'endgame']);
  // What waits in a pocket is not gone, and what is set up without pieces is no opening.
  assert.deepEqual(of(begun, 'rnbqk3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[RNBnbrq]'), ['opening', 'opening']);
  assert.deepEqual(of('4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K2R'), ['endgame']);
});

test('an exercise is right with the best move or one as good, and open until then or given up', () => {
  const mistakes = [1, 3].map(ply => ({ ply, kind: 'blunder', loss: 0.5, played: 'a2a3', line: ['e2e4'] }));
  let now = beginWith(mistakes);
  now = tried(now, 'a2a3');
  assert.equal(now.stage, 'played');
  now = judged(tried(now, 'h2h4'), 0.3);
  assert.equal(now.stage, 'wrong');
  now = judged(tried(now, 'd2d4'), 0.01);
  assert.deepEqual([now.stage, now.solved], ['right', 1]);
  assert.equal(tried(now, 'e2e4'), now);
  now = tried(next(now), 'e2e4');
  assert.deepEqual([now.stage, now.solved], ['best', 2]);
  assert.equal(current(next(now)), null);
  assert.equal(givenUp(next(beginWith(mistakes))).stage, 'shown');
  assert.equal(givenUp(now), now);
});

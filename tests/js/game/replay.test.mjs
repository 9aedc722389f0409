/** Going through a finished game, with the times that its moves took. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromSnapshot } from '../../../static/js/game/model.js';
import { reduce } from '../../../static/js/game/reduce.js';
import { canKeepPace, clocksAt, delayBefore, plyFromHash, timeTaken } from '../../../static/js/game/replay.js';
import { snapshot } from '../snapshot.mjs';

const MOVES = [
  ['e2e4', 'e4', 60000],
  ['e7e5', 'e5', 50000],
  ['g1f3', 'Nf3', 52000],
  ['b8c6', 'Nc6', 50900],
];
const game = (more = {}) =>
  fromSnapshot(
    snapshot({
      you: undefined,
      status: 'over',
      fen: 'end',
      moves: MOVES,
      legal: undefined,
      clock: { white: 52000, black: 50900 },
      initial: [60000, 50000],
      increment: [2000, 1000],
      can_abort: false,
      ended: { result: '1-0', winner: 'white', reason: 'resign' },
      ...more,
    }),
    0,
  );

test('looking back shows the clocks as they stood', () => {
  const clocks = [0, 1, 2, 3, 4].map(ply => clocksAt(game(), ply).clock);
  assert.deepEqual(clocks, [
    { white: 60000, black: 50000 },
    { white: 60000, black: 50000 },
    { white: 60000, black: 50000 },
    { white: 52000, black: 50000 },
    { white: 52000, black: 50900 },
  ]);
});

test('while a game goes on its own clocks are shown', () => {
  const live = game({ status: 'live', ended: null, clock: { white: 1, black: 2, run: 'white' } });
  assert.equal(clocksAt(live, 1), live);
});

test('each move takes what it took: the increment was given back', () => {
  const delays = [0, 1, 2, 3].map(ply => delayBefore(game(), ply, 'played'));
  assert.deepEqual(delays, [700, 700, 10000, 120], 'the first two moves were not timed; none is too short to see');
  assert.equal(delayBefore(game(), 2, 'played-fast'), 2500);
  assert.equal(delayBefore(game(), 2, 400), 400);
});

test('a record without times has no clocks', () => {
  const bare = game({ moves: MOVES.map(([uci, san]) => [uci, san, null]) });
  for (const ply of [0, 2, 4]) assert.deepEqual(clocksAt(bare, ply).clock, {});
});

test('a finished correspondence game keeps the clocks with which it ended', () => {
  const lost = game({ days: 3, initial: [null, null], clock: { white: 0, black: 86400000 } });
  for (const ply of [0, 2, 4]) assert.deepEqual(clocksAt(lost, ply).clock, { white: 0, black: 86400000 });
});

test('how long each move took is known for every kind of clock, but not behind a full time bank', () => {
  const taken = state => state.plies.map((_, index) => timeTaken(state, index));
  assert.deepEqual(taken(game()), [null, null, 10000, 100]);
  const days = { days: 3, initial: [null, null], increment: [0, 0] };
  assert.deepEqual(taken(game(days)), [null, null, 3 * 86_400_000 - 52000, 3 * 86_400_000 - 50900]);
  assert.deepEqual(taken(game({ cap: 52000 })), [null, null, null, 100]);
  assert.deepEqual(taken(game({ moves: MOVES.map(([uci, san]) => [uci, san, null]) })), [null, null, null, null]);
  assert.equal(timeTaken(game(), -1), null);
});

test('a move made anew after a takeback never took less than no time', () => {
  const [first, second, third, fourth] = MOVES;
  const again = [first, second, third, fourth, ['a', 'a', third[2] + 5000]];
  assert.equal(timeTaken(game({ moves: again, increment: [0, 0] }), 4), 0);
});

test('a move in a game of days tells at once how long it took', () => {
  const [days, now] = [3 * 86_400_000, 1000];
  const clock = { white: days, black: days };
  const state = game({ status: 'live', ended: null, days: 3, initial: [null, null], increment: [0, 0], clock });
  const event = { t: 'moved', v: state.v + 1, ply: 4, uci: 'a2a3', san: 'a3', fen: state.fen, clock };
  assert.equal(timeTaken(reduce(state, { ...event, left: days - 21_000 }, now), 4), 21_000);
});

test('a time bank is shown as it stood, and not replayed for weeks', () => {
  const bank = game({ cap: 99_000 });
  assert.equal(clocksAt(bank, 3).clock.white, 52000);
  assert.ok(!canKeepPace(bank));
});

test('without clocks there are no times', () => {
  assert.ok(canKeepPace(game()));
  const days = game({ days: 3, moves: MOVES.map(([uci, san]) => [uci, san, null]) });
  assert.ok(!canKeepPace(days));
  assert.ok(!canKeepPace(game({ initial: [null, null], moves: MOVES.map(([uci, san]) => [uci, san, null]) })));
  assert.equal(delayBefore(days, 3, 'played'), 700);
});

test('an address names a half-move; the secret of an invitation never does', () => {
  assert.deepEqual(['p0', 'p23', 'p4999'].map(plyFromHash), [0, 23, 4999]);
  for (const text of ['', 'p', 'p12345', 'P23', 'p2x', 'pAbCdEfGhIjKlMnOpQrStU', 'p1234567890123456789012'])
    assert.equal(plyFromHash(text), null);
});

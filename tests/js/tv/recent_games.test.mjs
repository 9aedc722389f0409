/** Which finished games stand beside those in play. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asBoard, bestOf } from '../../../static/js/tv/recent_games.js';

const game = {
  id: 'a',
  variant: 'chess',
  chess960: false,
  white: 'Ann',
  black: 'Ben',
  rated: false,
  result: '1/2-1/2',
  plies: 40,
  board: '8/8',
  clock: { kind: 'realtime', initial_ms: [300_000, 300_000], increment_ms: [3000, 3000], days: null, cap_ms: null },
};
const ids = (games, n = 9) => bestOf(games, n).map(one => one.id);

test('rated games come first, then decided ones, otherwise the newest', () => {
  const casual = { ...game, id: 'casual' };
  const decided = { ...game, id: 'decided', result: '0-1' };
  const rated = { ...game, id: 'rated', rated: true };
  const both = { ...game, id: 'both', rated: true, result: '1-0' };
  assert.deepEqual(ids([casual, decided, { ...decided, id: 'older' }, rated, both]), [
    'both',
    'rated',
    'decided',
    'older',
    'casual',
  ]);
  assert.deepEqual(ids([casual, decided], 1), ['decided']);
});

test('a game of a few moves is shown where there is nothing longer', () => {
  const short = { ...game, id: 'short', plies: 4, rated: true, result: '1-0' };
  assert.deepEqual(ids([short]), ['short']);
  assert.deepEqual(ids([short, game]), ['a', 'short']);
  assert.deepEqual(ids([short, game], 1), ['a']);
});

test('a game in which there is nothing to see is left out', () => {
  const poor = [{ plies: 1 }, { board: '' }, { white: null }];
  assert.deepEqual(ids(poor.map(lacking => ({ ...game, ...lacking }))), []);
});

test('games on every kind of clock are shown, those by the minute first', () => {
  const none = { initial_ms: [0, 0], increment_ms: [0, 0], days: null, cap_ms: null };
  const day = 86_400_000;
  const clocks = [
    { ...none, kind: 'unlimited' },
    { ...none, kind: 'correspondence', days: 3 },
    { ...none, kind: 'correspondence', initial_ms: [10 * day, 10 * day], increment_ms: [day, day], cap_ms: 30 * day },
  ].map((clock, at) => ({ ...game, id: String(at), clock }));
  assert.deepEqual(ids([...clocks, game]), ['a', '0', '1', '2']);
  assert.deepEqual(
    clocks.map(one => asBoard(one).terms),
    ['', '3d', '10+1/30d'],
  );
});

test('a finished game is shown with its terms and without clocks', () => {
  const shown = asBoard({ ...game, rated: true });
  assert.equal(shown.terms, '300+3');
  assert.deepEqual([shown.rated, shown.chess960, shown.clock], [1, undefined, {}]);
});

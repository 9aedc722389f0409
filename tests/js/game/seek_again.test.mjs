/** The game that somebody seeks again when they leave a board, or that no seek can be like. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromSnapshot } from '../../../static/js/game/model.js';
import { sameGame } from '../../../static/js/game/seek_again.js';
import { snapshot } from '../snapshot.mjs';

const DAY = 86_400_000;
const clockOf = more => sameGame(fromSnapshot(snapshot(more), 0), 'gothic')?.clock ?? null;

test('whoever leaves a board seeks the same variant, form, rating and time', () => {
  const game = { initial: [300_000, 300_000], increment: [3000, 3000], rated: true, chess960: true };
  assert.deepEqual(sameGame(fromSnapshot(snapshot(game), 0), 'capablanca'), {
    variants: ['capablanca'],
    chess960: true,
    rated: true,
    clock: { kind: 'realtime', initial: 300, increment: 3 },
    color: 'random',
  });
  assert.deepEqual(clockOf({ initial: [null, null], days: 3 }), { kind: 'correspondence', days: 3 });
  assert.deepEqual(clockOf({ initial: [10 * DAY, 10 * DAY], increment: [DAY, DAY], cap: 30 * DAY }), {
    kind: 'bank',
    initial: 10,
    increment: 1,
    cap: 30,
  });
});

test('what no seek can be like is not sought', () => {
  assert.equal(clockOf({ initial: [null, null] }), null);
  assert.equal(clockOf({ initial: [60_000, 30_000] }), null);
  assert.equal(clockOf({ initial: [60_000, 60_000], increment: [0, 1000] }), null);
});

/** A mind always answers: what it does with an engine that dies, is silent, or refuses. Time is turned by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dropped, Mind, Stuck } from '../../../static/js/computer/mind.js';

const PLACE = { fen: 'x', moves: [], chess960: false };
const PATIENCE = 15_000;
const THOUGHT = { depth: 1, deepest: 1, rank: 1, score: 0, mate: null, nodes: 1, time: 1, line: ['e2e4'] };

/** An engine for each of `ways`, one after the other: what it does when it is told to think. */
function engines(...ways) {
  const made = [];
  const start = heard => {
    const way = ways[made.length];
    const one = { asked: [], ended: false };
    made.push(one);
    return {
      think(asked) {
        one.asked.push(asked);
        queueMicrotask(() => !one.ended && way(heard));
      },
      end: () => (one.ended = true),
    };
  };
  return { made, mind: new Mind(start) };
}

const well = heard => {
  heard.thought(THOUGHT);
  heard.thought({ ...THOUGHT, rank: 2, line: ['a2a3'] });
  heard.done('e2e4');
};
const dies = heard => heard.failed();
const isSilent = () => {};
const refuses = heard => heard.refused('no');
const hasNone = heard => heard.done(null);

/** Lets all that is due happen. */
const settle = () => new Promise(resolve => setImmediate(resolve));

test('it answers with the last thought of the best line, and keeps its engine', async () => {
  const { mind, made } = engines(well);
  for (let level = 1; level < 4; level++) assert.equal(await mind.think(PLACE, { level }), THOUGHT);
  assert.equal(made.length, 1);
  assert.deepEqual(
    made[0].asked,
    [1, 2, 3].map(level => ({ ...PLACE, limits: { time: 8_000, level } })),
  );
});

for (const [name, way] of Object.entries({ dies, refuses, hasNone })) {
  test(`an engine that ${name} is begun anew once`, async () => {
    const { mind, made } = engines(way, well);
    assert.equal(await mind.think(PLACE, {}), THOUGHT);
    assert.deepEqual([made.length, made[0].ended, made[1].ended], [2, true, false]);
  });

  test(`when it ${name} again the question fails, and the next one has a new engine`, async () => {
    const { mind, made } = engines(way, way, well);
    await assert.rejects(mind.think(PLACE, {}), Stuck);
    assert.equal(await mind.think(PLACE, {}), THOUGHT);
    assert.deepEqual(
      made.map(one => one.ended),
      [true, true, false],
    );
  });
}

test('an engine that is silent for too long is taken for dead', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { mind, made } = engines(isSilent, well);
  const thought = mind.think(PLACE, {});
  await settle();
  mock.timers.tick(PATIENCE - 1);
  await settle();
  assert.equal(made.length, 1);
  mock.timers.tick(1);
  assert.equal(await thought, THOUGHT);
  assert.equal(made[0].ended, true);
});

test('one that is silent twice is given up', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { mind } = engines(isSilent, isSilent);
  const thought = assert.rejects(mind.think(PLACE, {}), Stuck);
  for (let times = 0; times < 2; times++) {
    await settle();
    mock.timers.tick(PATIENCE);
  }
  await thought;
});

test('what is dropped is answered by nothing, and what is asked later is', async () => {
  const { mind, made } = engines(isSilent, well);
  const first = assert.rejects(mind.think(PLACE, {}), Dropped);
  const second = assert.rejects(mind.think(PLACE, {}), Dropped);
  await settle();
  mind.drop();
  const third = mind.think(PLACE, {});
  await first;
  await second;
  assert.equal(await third, THOUGHT);
  assert.equal(made[0].ended, true);
});

test('an engine that cannot even be begun fails the question', async () => {
  const mind = new Mind(() => {
    throw new TypeError('no worker');
  });
  await assert.rejects(mind.think(PLACE, {}), Stuck);
});

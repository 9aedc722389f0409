/** How the computer behaves at the board: its pace, when it resigns, which draws it accepts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptsDraw, looksLost, resigns } from '../../../static/js/computer/opponent.js';
import { pace } from '../../../static/js/computer/opponent.js';

const CLOCKS = [null, 0, 50, 1_000, 10_000, 60_000, 300_000, 1_800_000, 10_800_000];
const every = function* () {
  for (const left of CLOCKS)
    for (const increment of [0, 2_000, 20_000])
      for (const plies of [0, 9, 10, 200])
        for (const recaptures of [false, true])
          for (const chance of [0, 0.5, 1]) yield { left, increment, plies, recaptures, chance };
};

test('it never answers at once, nor makes anybody wait', () => {
  for (const { chance, ...at } of every()) {
    const ms = pace(at, chance);
    assert.ok(ms >= 80 && ms <= 3_500, JSON.stringify({ ...at, chance, ms }));
    if (at.left === null) assert.ok(ms >= 200);
  }
});

test('it takes no more than a small part of what it has on its clock', () => {
  for (const { chance, ...at } of every())
    if (at.left !== null) assert.ok(pace(at, chance) <= Math.max(80, at.left / 20 + at.increment), JSON.stringify(at));
});

test('it hurries in the opening, to take back, and with less time', () => {
  const usual = { left: null, increment: 0, plies: 30, recaptures: false };
  const slow = pace(usual, 0.5);
  assert.ok(pace({ ...usual, plies: 4 }, 0.5) < slow);
  assert.ok(pace({ ...usual, recaptures: true }, 0.5) < slow);
  assert.ok(pace({ ...usual, left: 20_000 }, 0.5) < slow);
});

const LOST = { score: -1_200, mate: null };

test('it resigns only once it is convinced, late enough, and from level 3 on', () => {
  assert.ok(resigns(3, 40, 3, LOST));
  for (const level of [1, 2]) assert.ok(!resigns(level, 40, 9, LOST));
  assert.ok(!resigns(8, 19, 3, LOST));
  assert.ok(!resigns(8, 40, 2, LOST));
  assert.ok(!resigns(8, 40, 3, { score: -899, mate: null }));
});

test('who is about to mate may do so', () => {
  assert.ok(!resigns(8, 40, 3, { score: -30_000, mate: -2 }));
  assert.ok(resigns(8, 40, 3, { score: -30_000, mate: -5 }));
});

test('a game looks lost a rook and more behind, and when it is mated', () => {
  assert.deepEqual(
    [-899, -900, -30_000, 0, 900].map(score => looksLost({ score, mate: null })),
    [false, true, true, false, false],
  );
});

test('it accepts no draw early, one when it stands worse, and an even one late', () => {
  const worse = { score: -150, mate: null };
  const even = { score: 0, mate: null };
  const better = { score: 40, mate: null };
  assert.deepEqual(
    [19, 20, 59, 60].map(plies => [worse, even, better].map(judged => acceptsDraw(plies, judged))),
    [
      [false, false, false],
      [true, false, false],
      [true, false, false],
      [true, true, false],
    ],
  );
});

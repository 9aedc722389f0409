/** A piece of the pocket that is taken first, and enters behind another one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow, targets } from '../../../static/js/board/entering.js';
import { gatesFor } from '../../../static/js/board/gestures.js';
import { gesturesOf } from '../../../static/js/board/gestures.js';
import { parseFen } from '../../../static/js/board/position.js';
import { gatePremoves } from '../../../static/js/board/premove.js';
import { crazyhouse, seirawan } from '../variants.mjs';

const KINDS = ['h', 'e'];
const GATES = { h: ['b1', 'g1'], e: ['g1'] };
const gates = role => GATES[role];
const next = (before, picked, moved = false) => follow(before, { picked, moved }, KINDS, gates);

test('a piece of the pocket is free, then bound to the piece that is picked up, and goes with whatever else is', () => {
  const free = next(null, 'H@');
  assert.deepEqual(free, { role: 'h', square: null });
  const bound = next(free, 'b1');
  assert.deepEqual(bound, { role: 'h', square: 'b1' });
  assert.deepEqual(next(bound, 'b1'), bound);
  assert.deepEqual(next(bound, 'E@'), { role: 'e', square: null });
  for (const before of [free, bound]) {
    assert.equal(next(before, 'e2'), null, 'a piece behind which it cannot enter');
    assert.equal(next(before, null), null, 'put down');
  }
  assert.equal(next(bound, 'g1'), null, 'another piece is picked up by itself');
  assert.equal(next(null, 'b1'), null);
});

test('it is held until the board tells of the move', () => {
  const bound = { role: 'h', square: 'b1' };
  assert.deepEqual(next(bound, null, true), bound);
});

test('what can enter behind nothing is not taken', () => {
  assert.equal(
    follow(null, { picked: 'H@', moved: false }, KINDS, () => []),
    null,
  );
  assert.equal(next(null, 'Q@'), null);
});

const legal = ['e2e4', 'b1c3', 'b1c3h', 'b1a3', 'b1a3h', 'b1a3e', 'g1f3', 'g1f3e'];
const start = parseFen(seirawan.startFen);
const gestures = gesturesOf(seirawan, start, legal);

test('the moves of the server decide behind which pieces one can enter, and where those can go then', () => {
  assert.deepEqual(gatesFor(gestures, 'h'), ['b1']);
  assert.deepEqual(gatesFor(gestures, 'e'), ['b1', 'g1']);
  const found = (entering, from) => targets(gestures, entering, KINDS, role => gatesFor(gestures, role)).get(from);
  assert.deepEqual(found(null, 'H@'), ['b1']);
  assert.deepEqual(found(null, 'b1'), ['c3', 'a3']);
  assert.deepEqual(found({ role: 'e', square: 'b1' }, 'b1'), ['a3']);
});

test('in advance one can enter behind every piece that may still gate', () => {
  const spent = parseFen('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[he] w KQBCDFGkqbcdfg - 0 1');
  assert.deepEqual(gatePremoves(seirawan, start, 'black', 'h').sort(), 'a8 b8 c8 d8 e8 f8 g8 h8'.split(' '));
  assert.deepEqual(gatePremoves(seirawan, spent, 'white', 'h'), []);
  assert.deepEqual(gatePremoves(crazyhouse, start, 'white', 'h'), []);
});

/** From which boards a reader's own games keep the engine: the same rule as on the server (tests/web/games/test_fair_play.py). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonIn } from '../../../static/js/explain/fair_play.js';

const START = 'aaa/3/AAA w - - 0 1';
/** @param {number} ply */
const fenAfter = ply => (ply ? `aaa/${'1'.repeat(ply)}/AAA[xX] ${ply % 2 ? 'b' : 'w'} - - 0 1` : START);
const way = (plies, first = 0) => ({
  variant: 'small',
  startFen: START,
  chess960: false,
  fens: Array.from({ length: plies + 1 }, (_, ply) => fenAfter(first + ply)),
});
const gameAfter = (ply, changes = {}) => ({
  variant: 'small',
  opponent: 'Boris',
  computer: 0,
  by_the_minute: false,
  board: fenAfter(ply).split(/[ []/)[0],
  to_move: ply % 2 ? 'black' : 'white',
  last: ply ? 'a1a2' : '',
  ...changes,
});

test('its own position and what follows from it', () => {
  assert.equal(reasonIn([gameAfter(4)], way(4)), 'engine.in_play');
  assert.equal(reasonIn([gameAfter(4)], way(12)), 'engine.in_play');
  assert.equal(reasonIn([gameAfter(4)], way(3)), null);
  assert.equal(reasonIn([gameAfter(4, { to_move: 'black' })], way(4)), null);
  assert.equal(reasonIn([gameAfter(4, { variant: 'large' })], way(4)), null);
});

test('what comes long after the opening is another game, but a position behind it stays one', () => {
  assert.equal(reasonIn([gameAfter(4)], way(13)), null);
  assert.equal(reasonIn([gameAfter(10)], way(60)), 'engine.in_play');
  assert.equal(reasonIn([gameAfter(4)], way(60, 4)), 'engine.in_play', 'nothing is an opening from a set-up position');
});

test('nothing of a variant that is played by the minute', () => {
  assert.equal(reasonIn([gameAfter(0, { by_the_minute: true })], way(0)), 'engine.in_play_variant');
});

test('games that nobody has begun, nobody has joined or the computer plays forbid nothing', () => {
  for (const changes of [{ last: '' }, { opponent: null }, { computer: 3 }])
    assert.equal(reasonIn([gameAfter(4, changes)], way(4)), null);
});

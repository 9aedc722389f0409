/** From which boards a reader's own games keep the engine: the same rule as on the server (tests/web/games/test_fair_play.py). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonIn } from '../../../static/js/explain/fair_play.js';

/** Eleven rows that count, so that no position resembles another. @param {number} ply */
const placementAfter = ply =>
  Array(11).fill(ply.toString(2).padStart(8, '0').replaceAll('0', 'a').replaceAll('1', 'A')).join('/');
const START = `${placementAfter(0)} w - - 0 1`;
/** @param {number} ply */
const fenAfter = ply => (ply ? `${placementAfter(ply)}[xX] ${ply % 2 ? 'b' : 'w'} - - 0 1` : START);
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
  assert.equal(
    reasonIn([gameAfter(4, { variant: 'large' })], way(4)),
    'engine.in_play',
    'the moves of another variant',
  );
  assert.equal(reasonIn([gameAfter(4, { variant: 'large' })], way(3)), null);
});

test('what comes long after the opening is another game, but a position behind it stays one', () => {
  assert.equal(reasonIn([gameAfter(4)], way(13)), null);
  assert.equal(reasonIn([gameAfter(10)], way(60)), 'engine.in_play');
  assert.equal(reasonIn([gameAfter(4)], way(60, 4)), 'engine.in_play', 'nothing is an opening from a set-up position');
});

test('nothing of a variant that is played by the minute', () => {
  assert.equal(reasonIn([gameAfter(0, { by_the_minute: true })], way(0)), 'engine.in_play_variant');
});

const MIDDLE = '2r1k3/pp3p1p/8/3N4/8/6P1/PP3P1P/4R1K1';
const middle = (changes = {}) => gameAfter(40, { variant: 'small', board: MIDDLE, to_move: 'white', ...changes });
/** A position that was set up. */
const setUp = (placement, turn = 'w', changes = {}) => ({
  variant: 'other',
  startFen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  chess960: false,
  fens: [`${placement} ${turn} - - 0 1`],
  ...changes,
});

test('a position that was set up, in any variant', () => {
  const found = {
    itself: setUp(MIDDLE),
    'after a move that it allows': setUp('2r1k3/pp3p1p/5N2/8/8/6P1/PP3P1P/4R1K1', 'b'),
    'with a piece less': setUp('2r1k3/1p3p1p/8/3N4/8/6P1/PP3P1P/4R1K1'),
    'for the other side': setUp(MIDDLE, 'b'),
    'with the sides exchanged': setUp('4r1k1/pp3p1p/6p1/8/3n4/8/PP3P1P/2R1K3', 'b'),
    'from left to right': setUp('3k1r2/p1p3pp/8/4N3/8/1P6/P1P3PP/1K1R4'),
    'as a start of 960': setUp(MIDDLE, 'w', { chess960: true }),
    'as promoted pieces': setUp(MIDDLE.replace('N', 'N~')),
  };
  for (const [how, one] of Object.entries(found)) assert.equal(reasonIn([middle()], one), 'engine.in_play', how);
  const other = {
    'after a move of the other side': setUp('4k3/pp3p1p/8/2rN4/8/6P1/PP3P1P/4R1K1', 'b'),
    'after a move of each side': setUp('3rk3/pp3p1p/5N2/8/8/6P1/PP3P1P/4R1K1'),
    'on another board': setUp(`${MIDDLE}/8`),
  };
  for (const [how, one] of Object.entries(other)) assert.equal(reasonIn([middle()], one), null, how);
});

test('a large explosion is one move, where captures explode', () => {
  const exploded = setUp('2r1k3/pp5p/8/3N4/8/6P1/PP3P1P/6K1', 'b');
  assert.equal(reasonIn([middle({ explodes: true })], exploded), 'engine.in_play');
  assert.equal(reasonIn([middle({ explodes: false })], exploded), null);
});

test('a start at odds is another game than one that has just begun', () => {
  const begun = middle({ board: 'rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R', to_move: 'black' });
  assert.equal(reasonIn([begun], setUp('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R')), null);
  assert.equal(reasonIn([begun], setUp(begun.board)), 'engine.in_play');
});

test('by the minute nothing on a board of that size, in whichever variant', () => {
  const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
  const live = middle({ by_the_minute: true });
  assert.equal(reasonIn([live], setUp(start)), 'engine.in_play_variant');
  const larger = `${'10/'.repeat(9)}10`;
  assert.equal(reasonIn([live], setUp(larger, 'w', { startFen: `${larger} w - - 0 1` })), null);
});

test('games that nobody has begun, nobody has joined or the computer plays forbid nothing', () => {
  for (const changes of [{ last: '' }, { opponent: null }, { computer: 3 }])
    assert.equal(reasonIn([gameAfter(4, changes)], way(4)), null);
});

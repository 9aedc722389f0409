/** A move that waits until its player confirms it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.mjs';
import { parseFen } from '../../../static/js/board/position.js';
import { canStillBeMade, needsConfirmation, waitingMove } from '../../../static/js/round/own_moves.js';
import { fromSnapshot } from '../../../static/js/game/model.js';
import { reduce } from '../../../static/js/game/reduce.js';
import { readMove } from '../../../static/js/game/read_move.js';
import { writeMove } from '../../../static/js/game/write_move.js';
import { moved, snapshot } from '../snapshot.mjs';
import { acedrex, chess, crazyhouse, grand, seirawan, shogun } from '../variants.mjs';

test('the preference and the clock decide whether a move waits; a premove never does', () => {
  const byDays = { days: 3, cap: null };
  const bank = { days: null, cap: 30 };
  const live = { days: null, cap: null };
  const cases = [
    ['days', byDays, true],
    ['days', bank, true],
    ['days', live, false],
    ['always', byDays, true],
    ['always', live, true],
    ['never', byDays, false],
    ['never', live, false],
  ];
  for (const [preference, game, waits] of cases) {
    assert.equal(needsConfirmation(preference, game, false), waits, `${preference}, ${game.days}`);
    assert.equal(needsConfirmation(preference, game, true), false, `${preference}, ${game.days}, premoved`);
  }
});

test('a move waits as long as the position is the same and it is still to be made', () => {
  const state = fromSnapshot(snapshot(), 0);
  const waiting = waitingMove(state, 'e2e4');
  const waits = other => canStillBeMade(waiting, other, other.legal);
  assert.ok(waits(state));
  const offered = reduce(state, { t: 'offered', v: 4, offer: 1, kind: 'draw', by: 'black' }, 0);
  assert.ok(waits(offered), 'a draw offer changes nothing');
  assert.ok(waits(reduce(state, snapshot({ v: 90 }), 0)), 'nor does a reconnect');
  assert.ok(!waits(reduce(state, moved(), 0)), 'played in another tab');
  const ended = { winner: null, reason: 'agreement' };
  assert.ok(!waits(reduce(state, { t: 'over', v: 4, clock: {}, ended }, 0)), 'the game is over');
  assert.ok(!canStillBeMade(waiting, state, null), 'somebody else is to move');
  assert.ok(!canStillBeMade(waiting, state, ['d2d4']), 'no longer legal');
  const setUp = { ...state, fen: state.fen.replace('KQkq', '-') };
  assert.ok(!waits(setUp), 'another position after as many moves');
});

/** Positions with all the moves that could be mistaken for each other, and how each is written. */
const WRITTEN = [
  [chess, chess.startFen, { e2e4: 'e4', g1f3: 'Nf3' }],
  [chess, '4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1', { b1d2: 'Nbd2', f1d2: 'Nfd2', b1c3: 'Nc3' }],
  [chess, '4k3/8/8/1N6/8/1N6/8/4K3 w - - 0 1', { b3d4: 'N3d4', b5d4: 'N5d4' }],
  [chess, '4k3/8/8/8/Q2Q4/8/8/Q3K3 w - - 0 1', { a4d1: 'Qa4d1', a1d1: 'Q1d1', d4d1: 'Qdd1' }],
  [chess, '4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1', { d5d6: 'd6', d5e6: 'dxe6' }],
  [chess, '4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1', { b2c3: 'bxc3', d2c3: 'Bxc3' }],
  [chess, 'r6k/1P6/8/8/8/8/8/K7 w - - 0 1', { b7b8q: 'b8=Q', b7b8n: 'b8=N', b7a8r: 'bxa8=R' }],
  [chess, '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', { e1g1: 'O-O', e1c1: 'O-O-O', h1g1: 'Rg1' }],
  [chess, '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', { e1h1: 'O-O', e1a1: 'O-O-O' }],
  [crazyhouse, '4k3/8/8/8/8/8/8/4KN2[PN] w - - 0 1', { 'P@e4': 'P@e4', 'N@e3': 'N@e3', f1e3: 'Ne3' }],
  [seirawan, seirawan.startFen, { b1c3: 'Nc3', b1c3h: 'Nc3/H', b1c3e: 'Nc3/E' }],
  [seirawan, '4k3/8/8/8/8/8/8/4K2R[H] w K - 0 1', { e1g1: 'O-O', e1g1h: 'O-O/He1', h1e1h: 'O-O/Hh1' }],
  [shogun, '4k3/8/8/P7/8/8/8/4K3[] w - - 0 1', { a5a6: 'a6', 'a5a6+': 'a6=C' }],
  [grand, '10/10/P9/10/10/10/10/10/10/10 w - - 0 1', { a8a9: 'a9', a8a9q: 'a9=Q' }],
  [acedrex, '12/12/G11/12/12/12/12/12/12/12/12/12 w - - 0 1', { a10c7: 'Gc7' }],
];

test('a move is written as the server writes it, and read back as the same move', () => {
  for (const [variant, fen, moves] of WRITTEN) {
    const [position, legal] = [parseFen(fen), Object.keys(moves)];
    for (const [uci, san] of Object.entries(moves)) {
      assert.equal(writeMove(uci, variant, position, legal), san, `${variant.id} ${fen} ${uci}`);
      assert.deepEqual(readMove(san, variant, position, legal), { uci }, `${variant.id} ${fen} ${san}`);
    }
  }
});

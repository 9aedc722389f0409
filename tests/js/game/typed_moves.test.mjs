/** Moves as people type them, read and written. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import '../english.mjs';
import { parseFen } from '../../../static/js/board/position.js';
import { readMove } from '../../../static/js/game/read_move.js';
import { acedrex, chess, crazyhouse, grand, seirawan, shogun } from '../variants.mjs';

const FORMS = new URL('../../rules/notation/move_forms.json', import.meta.url);
const REFUSALS = { illegal: /not legal/, unreadable: /not a move/, ambiguous: / or |which|=/i };

const read = (text, variant, fen, legal) => {
  const entry = readMove(text, variant, parseFen(fen), legal.split(' '));
  return 'uci' in entry ? entry.uci : entry.problem;
};

test('each form that the reader of moves of the server takes, and none that it refuses', () => {
  const variants = { acedrex, chess, crazyhouse, grand, seirawan, shogun };
  for (const { variant, fen, legal, read: forms, refused } of JSON.parse(readFileSync(FORMS, 'utf8'))) {
    for (const [text, uci] of Object.entries(forms))
      assert.equal(read(text, variants[variant], fen, legal), uci, `${variant} ${fen}: ${text}`);
    for (const [text, why] of Object.entries(refused))
      assert.match(read(text, variants[variant], fen, legal), REFUSALS[why], `${variant} ${fen}: ${text}`);
  }
});

test('typed moves, as people type them', () => {
  const start = 'e2e4 d2d4 g1f3 b1c3';
  for (const text of ['e4', 'e2e4', 'E2-E4', 'e2 e4', 'Pe4', 'e4!'])
    assert.equal(read(text, chess, chess.startFen, start), 'e2e4', text);
  for (const text of ['Nf3', 'nf3', 'Ngf3', 'N1f3', 'Nf3+'])
    assert.equal(read(text, chess, chess.startFen, start), 'g1f3', text);
  assert.match(read('Nf6', chess, chess.startFen, start), /not legal/);
  assert.match(read('hello', chess, chess.startFen, start), /not a move/);
});

test('a pawn takes only by its file, so that a step that came too late takes nothing', () => {
  const blocked = '4k3/8/8/4p3/3PP3/8/8/4K3 w - - 0 1';
  assert.match(read('e5', chess, blocked, 'd4d5 d4e5'), /not legal/);
  assert.match(read('e6', chess, '4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1', 'd5d6 d5e6'), /not legal/);
  for (const text of ['dxe5', 'de5', 'd4e5']) assert.equal(read(text, chess, blocked, 'd4d5 d4e5'), 'd4e5', text);
});

test('whatever the variant calls a pawn is typed without its letter', () => {
  const { p, ...pieces } = chess.roles;
  const footmen = { ...chess, roles: { ...pieces, f: p } };
  assert.equal(read('e4', footmen, '4k3/8/8/8/8/8/4F3/4K3 w - - 0 1', 'e2e3 e2e4 e1d1'), 'e2e4');
});

test('typed castling, in both writings and by the squares', () => {
  const fen = '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1';
  for (const text of ['O-O', '0-0', 'oo', 'e1g1', 'e1h1'])
    assert.equal(read(text, chess, fen, 'e1g1 e1c1'), 'e1g1', text);
  assert.equal(read('0-0-0', chess, fen, 'e1g1 e1c1'), 'e1c1');
  assert.equal(read('O-O', chess, fen, 'e1h1 e1a1'), 'e1h1');
});

test('typed promotions, drops, gates, two-digit ranks', () => {
  const pawn = '8/P6k/8/8/8/8/8/K7 w - - 0 1';
  for (const text of ['a8=R', 'a8R', 'a7a8r']) assert.equal(read(text, chess, pawn, 'a7a8q a7a8r'), 'a7a8r', text);
  assert.match(read('a8', chess, pawn, 'a7a8q a7a8r'), /=Q, =R/);
  const tenth = '10/10/P9/10/10/10/10/10/10/10 w - - 0 1';
  assert.equal(read('a9', grand, tenth, 'a8a9 a8a9q'), 'a8a9');
  const hand = '4k3/8/8/8/8/8/8/4K3[PN] w - - 0 1';
  for (const text of ['@e4', 'P@e4', 'p@e4'])
    assert.equal(read(text, crazyhouse, hand, 'P@e4 N@e4 N@f3'), 'P@e4', text);
  assert.equal(read('N@f3', crazyhouse, hand, 'P@e4 N@e4 N@f3'), 'N@f3');
  const first = 'b1c3 b1c3h b1c3e';
  assert.equal(read('Nc3', seirawan, seirawan.startFen, first), 'b1c3');
  assert.equal(read('Nc3/H', seirawan, seirawan.startFen, first), 'b1c3h');
  const castle = '4k3/8/8/8/8/8/8/4K2R[H] w K - 0 1';
  assert.equal(read('O-O/Hh1', seirawan, castle, 'e1g1 e1g1h h1e1h'), 'h1e1h');
  assert.match(read('O-O/H', seirawan, castle, 'e1g1 e1g1h h1e1h'), /e1 or .*h1/);
  const captain = '4k3/8/8/P7/8/8/8/4K3[] w - - 0 1';
  assert.equal(read('a6=C', shogun, captain, 'a5a6 a5a6+'), 'a5a6+');
  assert.equal(read('a6+', shogun, captain, 'a5a6 a5a6+'), 'a5a6');
  assert.equal(read('a5a6+', shogun, captain, 'a5a6 a5a6+'), 'a5a6+');
  const giraffe = '12/12/G11/12/12/12/12/12/12/12/12/12 w - - 0 1';
  for (const text of ['a10c7', 'Gc7']) assert.equal(read(text, acedrex, giraffe, 'a10c7 a10d8 a10d12'), 'a10c7', text);
});

test('ambiguous moves say what is missing; a bishop and the b pawn are told apart', () => {
  const knights = '4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1';
  assert.match(read('Nd2', chess, knights, 'b1d2 f1d2'), /b1 or f1/);
  assert.equal(read('nbd2', chess, knights, 'b1d2 f1d2'), 'b1d2');
  const both = '4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1';
  assert.equal(read('bxc3', chess, both, 'b2c3 d2c3'), 'b2c3');
  assert.equal(read('Bxc3', chess, both, 'b2c3 d2c3'), 'd2c3');
});

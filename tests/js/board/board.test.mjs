/** Positions, moves, gestures, premoves and reach, on boards of all sizes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.mjs';
import { fromKey, fromLibraryRole, toKey, toLibraryRole, toSquare } from '../../../static/js/board/geometry.js';
import { gesturesOf, matchPremove } from '../../../static/js/board/gestures.js';
import { reachFromPocket, reachOnBoard } from '../../../static/js/board/piece_reach.js';
import {
  formatBoard,
  parseFen,
  parseUci,
  checksWords,
  predict,
  squareWords,
} from '../../../static/js/board/position.js';
import { gatingSquares, predropTargets, premoveOptions, premoveTargets } from '../../../static/js/board/premove.js';
import { acedrex, chess, crazyhouse, grand, seirawan, shogun } from '../variants.mjs';

const after = (variant, fen, uci) => formatBoard(variant, predict(variant, parseFen(fen), parseUci(uci)));
const words = options => options.map(({ suffix, gate }) => suffix + (gate ? `@${gate}` : ''));

test('every square of a 12x12 board survives the way to the library and back', () => {
  const squares = Array.from({ length: acedrex.files * acedrex.ranks }, (_, n) =>
    toSquare(n % acedrex.files, Math.floor(n / acedrex.files)),
  );
  assert.equal(new Set(squares.map(toKey)).size, 144);
  assert.deepEqual(
    squares.map(square => fromKey(toKey(square))),
    squares,
  );
  assert.equal(toKey('a10'), 'a:');
  assert.equal(toKey('l12'), 'l<');
});

test('a square is told by what stands there, and as a goal, whoever stands there', () => {
  const goals = ['e4', 'd4'];
  const position = parseFen('4k3/8/8/8/4P3/8/8/4K3 w - - 0 1');
  assert.deepEqual(
    ['e4', 'd4', 'e5', 'e8'].map(square => squareWords({ ...chess, goals }, position, square)),
    ['e4, white pawn; goal square', 'd4, empty; goal square', 'e5, empty', 'e8, black king'],
  );
});

test('checks that were given are read from the FEN and told where a number of them wins', () => {
  const fen = '4k3/8/8/8/8/8/8/4K3 w - - 2+3 0 1';
  assert.deepEqual(parseFen(fen).toCheck, { white: 2, black: 3 });
  assert.equal(parseFen(chess.startFen).toCheck, null);
  assert.equal(checksWords({ ...chess, checks: 3 }, parseFen(fen), 'white'), 'White has given 1 of 3 checks.');
  assert.equal(checksWords(chess, parseFen(fen), 'white'), '');
});

test('roles survive the way to the library and back', () => {
  for (const role of ['p', '+p', 'z']) assert.equal(fromLibraryRole(toLibraryRole(role)), role);
  assert.equal(toLibraryRole('+n'), 'pn-piece');
});

test('a FEN reads and writes the same: two-digit runs, promoted pieces, pockets', () => {
  for (const variant of [chess, shogun, acedrex, grand]) {
    const board = variant.startFen.split(' ')[0].replace('[]', '');
    assert.equal(formatBoard(variant, parseFen(variant.startFen)), `${board}[]`);
  }
  assert.equal(formatBoard(crazyhouse, parseFen('4k3/8/8/8/8/8/8/Q~3K3[PPq] w - - 0 1')), '4k3/8/8/8/8/8/8/Q~3K3[PPq]');
  assert.equal(parseFen('1g10/12/12/12/12/12/12/12/12/12/12/A11 b - - 0 1').pieces.get('b12')?.role, 'g');
});

test('UCI with two-digit ranks, drops and suffixes', () => {
  assert.deepEqual(parseUci('a10b12'), { from: 'a10', to: 'b12', drop: null, suffix: '' });
  assert.deepEqual(parseUci('a11a12r'), { from: 'a11', to: 'a12', drop: null, suffix: 'r' });
  assert.deepEqual(parseUci('P@e10'), { from: null, to: 'e10', drop: 'p', suffix: '' });
  assert.equal(parseUci('a5a6+').suffix, '+');
  assert.throws(() => parseUci('e2'));
});

test('what a move looks like before the server answers', () => {
  const castle = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
  assert.equal(after(chess, castle, 'e1g1').split('/')[7], 'R4RK1[]');
  assert.equal(after(chess, castle, 'e1a1').split('/')[7], '2KR3R[]', '960: king takes own rook');
  assert.equal(after(chess, '8/P7/8/8/8/8/8/K1k5 w - - 0 1', 'a7a8n').split('/')[0], 'N~7');
  assert.equal(after(shogun, '4k3/8/8/8/8/8/8/N3K3[] w - - 0 1', 'a1b3+').split('/')[5], '1+N6');
  assert.equal(after(crazyhouse, '4k3/8/8/8/8/8/8/4K3[Pq] w - - 0 1', 'P@e4'), '4k3/8/8/8/4P3/8/8/4K3[q]');
  assert.equal(after(seirawan, seirawan.startFen, 'b1c3h').split('/')[7], 'RHBQKBNR[Ehe]');
  const gates = '4k3/8/8/8/8/8/8/R3K2R[HE] w KQ - 0 1';
  assert.equal(after(seirawan, gates, 'h1e1e').split('/')[7], 'R4RKE[H]', "the gate opens on the rook's square");
});

test("gestures: castling by the castled square and by the rook, but never hiding a king's step", () => {
  const standard = gesturesOf(chess, parseFen('4k3/8/8/8/8/8/8/4K2R w K - 0 1'), ['e1g1', 'e1f1']);
  assert.deepEqual([...(standard.get('e1')?.keys() ?? [])].sort(), ['f1', 'g1', 'h1']);
  const shuffled = gesturesOf(chess, parseFen('4k3/8/8/8/8/8/8/5K1R w H - 0 1'), ['f1h1', 'f1g1']);
  assert.deepEqual(
    shuffled
      .get('f1')
      ?.get('g1')
      ?.map(({ uci }) => uci),
    ['f1g1'],
  );
  assert.deepEqual(
    shuffled
      .get('f1')
      ?.get('h1')
      ?.map(({ uci }) => uci),
    ['f1h1'],
  );
});

test("gestures: gates of castling on both squares belong to the king's gesture", () => {
  const legal = ['e1g1', 'e1g1h', 'h1e1h'];
  const options = gesturesOf(seirawan, parseFen('4k3/8/8/8/8/8/8/4K2R[H] w K - 0 1'), legal).get('e1')?.get('g1') ?? [];
  assert.deepEqual(words(options), ['', 'h@e1', 'h@h1']);
});

test("gestures: a king's leap of two squares is no castling where nobody castles", () => {
  const gestures = gesturesOf(acedrex, parseFen(acedrex.startFen), ['g1g3', 'g1e3']);
  assert.deepEqual([...(gestures.get('g1')?.keys() ?? [])], ['g3', 'e3']);
});

test('premoves go over and onto any piece', () => {
  const start = parseFen(chess.startFen);
  assert.equal(premoveTargets(chess, start, 'a1').length, 14);
  assert.deepEqual(premoveTargets(chess, start, 'e2').sort(), ['d3', 'e3', 'e4', 'f3']);
  assert.deepEqual(premoveTargets(chess, start, 'e7').sort(), ['d6', 'e5', 'e6', 'f6'], 'mirrored for Black');
  const king = premoveTargets(chess, start, 'e1');
  for (const square of ['g1', 'c1', 'h1', 'a1', 'd2']) assert.ok(king.includes(square), square);
});

test('castling and its gates go by the piece that the variant names, not by the letter of the rook', () => {
  const queens = { ...seirawan, castling: { ...seirawan.castling, rook: 'q' } };
  const position = parseFen('4k3/8/8/8/8/8/8/Q3KR1Q[H] b KQ - 0 1');
  const targets = premoveTargets(queens, position, 'e1');
  for (const square of ['g1', 'c1', 'h1', 'a1']) assert.ok(targets.includes(square), square);
  assert.deepEqual(words(premoveOptions(queens, position, 'e1', 'g1')), ['', 'h@e1', 'h@h1']);
  assert.equal(after(queens, '4k3/8/8/8/8/8/8/4K2Q[H] w K - 0 1', 'e1g1').split('/')[7], '5QK1[H]');
});

test('a king without rights premoves no castling', () => {
  const moved = parseFen('4k3/8/8/8/8/8/8/R3K2R w kq - 0 1');
  assert.deepEqual(premoveTargets(chess, moved, 'e1').sort(), ['d1', 'd2', 'e2', 'f1', 'f2']);
});

test("premoves of bent riders and of the king's leap on 12x12: the counts of the rules text", () => {
  const alone = letter =>
    premoveTargets(acedrex, parseFen(`12/12/12/12/12/12/5${letter}6/12/12/12/12/12 w - - 0 1`), 'f6').length;
  assert.deepEqual(['A', 'U', 'C', 'L', 'G'].map(alone), [40, 36, 21, 12, 8]);
  assert.ok(premoveTargets(acedrex, parseFen(acedrex.startFen), 'g1').includes('i3'));
  assert.ok(!premoveTargets(acedrex, parseFen(acedrex.startFen.replace('Jj', 'j')), 'g1').includes('i3'));
});

test('predrops: not on own pieces, pawns by their ranks', () => {
  const position = parseFen('4k3/8/8/8/8/8/P7/4K3[PN] w - - 0 1');
  assert.equal(predropTargets(crazyhouse, position, 'white', 'p').length, 47);
  assert.ok(predropTargets(crazyhouse, position, 'white', 'n').includes('e8'));
});

test('what a premove may become is asked when it is set', () => {
  const options = (variant, fen, from, to) => words(premoveOptions(variant, parseFen(fen), from, to));
  assert.deepEqual(options(chess, '8/P6k/8/8/8/8/8/K7 b - - 0 1', 'a7', 'a8'), ['q', 'r', 'b', 'n']);
  assert.deepEqual(options(grand, '10/10/P9/10/10/10/10/10/10/10 b - - 0 1', 'a8', 'a9'), ['', 'q', 'a']);
  assert.deepEqual(options(shogun, '8/8/N7/8/8/8/8/8[] b - - 0 1', 'a6', 'b4'), ['', '+'], 'out of the zone too');
  assert.deepEqual(options(acedrex, '12/11P/12/12/12/12/12/12/12/12/12/12 b - - 0 1', 'l11', 'k12'), ['l'], 'by file');
  assert.deepEqual(options(seirawan, seirawan.startFen, 'b1', 'c3'), ['', 'h@b1', 'e@b1']);
  assert.deepEqual(options(seirawan, '4k3/8/8/8/8/8/8/R3K2R[H] b KQ - 0 1', 'e1', 'g1'), ['', 'h@e1', 'h@h1']);
});

test('who may still let a piece in: unmoved pieces, as long as their side has one in its pocket', () => {
  const squares = (/** @type {string} */ fen, variant = seirawan) =>
    gatingSquares(variant, parseFen(fen)).sort().join(' ');
  const whole = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
  const [first, last] = ['a1 b1 c1 d1 e1 f1 g1 h1', 'a8 b8 c8 d8 e8 f8 g8 h8'];
  const rows = `${first} ${last}`.split(' ').sort().join(' ');
  assert.equal(squares(`${whole}[EHeh] w KQBCDFGkqbcdfg - 0 1`), rows);
  assert.equal(squares(`${whole}[eh] w KQBCDFGkqbcdfg - 0 1`), last);
  assert.equal(squares(`${whole}[N] w KQBCDFGkqbcdfg - 0 1`), '', 'a kind that was captured and is only dropped');
  assert.equal(squares(`${whole}[E] w CHkqbcdfg - 0 1`), 'c1 h1');
  assert.equal(squares(`${whole}[H] w Q - 0 1`), 'a1 e1');
  assert.equal(squares(`${whole}[Pp] w KQkq - 0 1`, crazyhouse), '');
});

test('a premove is played only as it was meant', () => {
  const gestures = gesturesOf(chess, parseFen('8/P6k/8/8/8/8/8/K7 w - - 0 1'), ['a7a8q', 'a7a8r']);
  const premove = suffix => ({ from: 'a7', to: 'a8', option: { uci: '', suffix, gate: null, role: suffix } });
  assert.equal(matchPremove(gestures, premove('r'))?.uci, 'a7a8r');
  assert.equal(matchPremove(gestures, premove('n')), null);
});

test('the reach of a piece ends at others, take enemies, and know en passant', () => {
  const reach = (variant, fen, square) => reachOnBoard(variant, parseFen(fen), square);
  const rook = reach(chess, '8/8/8/8/p7/8/8/R1N5 w - - 0 1', 'a1');
  assert.deepEqual(rook?.squares.sort(), ['a2', 'a3', 'a4', 'b1']);
  assert.deepEqual(rook?.captures, ['a4']);
  assert.deepEqual(reach(chess, '8/8/8/3pP3/8/8/8/8 w - d6 0 1', 'e5')?.squares.sort(), ['d6', 'e6']);
  assert.equal(reach(chess, chess.startFen, 'e4'), null);
  const aanca = reach(acedrex, '12/12/12/12/12/6P5/5A6/12/12/12/12/12 w - - 0 1', 'f6');
  assert.equal(aanca?.squares.length, 29, 'a piece on the first square closes both arms');
  assert.ok(
    reachFromPocket(crazyhouse, parseFen(crazyhouse.startFen), 'white', 'p').squares.every(s => /[3-6]/.test(s)),
  );
});

/** A position that is set up by hand, as a value. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFen } from '../../../static/js/board/position.js';
import {
  choosableRights,
  editedPosition,
  emptied,
  formatFen,
  placeable,
  withInPocket,
  withMoved,
  withPiece,
  withRight,
} from '../../../static/js/editor/edited_position.js';
import * as all from '../variants.mjs';

const variants = Object.values(all).filter(one => one?.startFen);
const fen = (variant, ...changes) =>
  formatFen(
    variant,
    changes.reduce((position, change) => change(position), editedPosition(variant.startFen)),
  );

test('what is not changed is written as it was read, in every variant', () => {
  assert.ok(variants.length > 3);
  for (const variant of variants) assert.equal(fen(variant), variant.startFen, variant.id);
});

test('a piece goes to another square, or off the board, and takes the right to castle along', () => {
  const { chess } = all;
  assert.equal(
    fen(chess, at => withMoved(chess, at, 'h1', 'h3')),
    'rnbqkbnr/pppppppp/8/8/8/7R/PPPPPPPP/RNBQKBN1 w Qkq - 0 1',
  );
  assert.match(
    fen(chess, at => withPiece(chess, at, 'e8', null)),
    / w KQ - 0 1$/,
  );
  assert.match(
    fen(chess, at => withMoved(chess, at, 'e1', 'e2')),
    / w kq - 0 1$/,
  );
  assert.match(
    fen(
      chess,
      at => withMoved(chess, at, 'a1', 'a3'),
      at => withMoved(chess, at, 'a3', 'a1'),
    ),
    / w KQkq - 0 1$/,
    'back where it was it may castle again',
  );
  assert.equal(
    fen(chess, at => withMoved(chess, at, 'e4', 'e5')),
    chess.startFen,
    'nobody stood there',
  );
});

test('every piece can be put, and where captures fill the pockets a promoted pawn besides', () => {
  for (const variant of variants) {
    const pieces = placeable(variant, 'black');
    const plain = pieces.filter(({ role, promoted }) => !promoted || role.startsWith('+'));
    assert.deepEqual(
      plain.map(({ role }) => role),
      Object.keys(variant.roles),
    );
    const reverting = pieces.filter(piece => !plain.includes(piece)).map(({ role }) => role);
    const { to } = variant.promotion.p;
    const expected = /captures/.test(variant.pocket) && !to[0].startsWith('+') ? to : [];
    assert.deepEqual(reverting, expected, variant.id);
  }
  const { crazyhouse } = all;
  const queen = placeable(crazyhouse, 'white').at(-4);
  assert.match(
    fen(crazyhouse, at => withPiece(crazyhouse, at, 'e4', queen)),
    /\/4Q~3\//,
  );
});

test('rights are chosen, and only those whose pieces are in place can be', () => {
  const { chess } = all;
  assert.match(
    fen(chess, at => withRight(at, 'K')),
    / w Qkq - 0 1$/,
  );
  assert.match(
    fen(
      chess,
      at => withRight(at, 'Q'),
      at => withRight(at, 'Q'),
    ),
    / w KQkq - 0 1$/,
  );
  const without = withPiece(chess, editedPosition(chess.startFen), 'a8', null);
  assert.deepEqual(choosableRights(chess, without), [
    { letter: 'K', can: true },
    { letter: 'Q', can: true },
    { letter: 'k', can: true },
    { letter: 'q', can: false },
  ]);
});

test('no piece enters behind one that was put there, and files are not chosen by hand', () => {
  const { seirawan } = all;
  const { rights } = parseFen(seirawan.startFen);
  assert.ok(rights.includes('B'));
  const moved = fen(
    seirawan,
    at => withMoved(seirawan, at, 'b1', 'c3'),
    at => withMoved(seirawan, at, 'c3', 'b1'),
  );
  assert.equal(parseFen(moved).rights, rights.replace('B', ''));
  const letters = choosableRights(seirawan, editedPosition(seirawan.startFen)).map(({ letter }) => letter);
  assert.deepEqual(letters, ['K', 'Q', 'k', 'q']);
});

test('pockets hold what is put into them, never less than nothing', () => {
  const { crazyhouse } = all;
  const twice = at => withInPocket(withInPocket(at, 'white', 'q', 1), 'white', 'q', 1);
  assert.match(fen(crazyhouse, twice), /\[QQ\] w/);
  assert.match(
    fen(crazyhouse, twice, at => withInPocket(at, 'white', 'q', -5)),
    /\[\] w/,
  );
});

test('an empty board keeps whose turn it is', () => {
  const { chess } = all;
  assert.equal(
    fen(chess, at => ({ ...at, turn: 'black' }), emptied),
    '8/8/8/8/8/8/8/8 b - - 0 1',
  );
});

/** What is proved of endings: by what is known of them, and by the rules, which every proof has to fit move by move. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcome } from '../../../static/js/engine/rules/endings.js';
import { generate } from '../../../static/js/engine/rules/generation.js';
import { make, unmake } from '../../../static/js/engine/rules/making.js';
import { parseFen, writeFen } from '../../../static/js/engine/rules/notation/fen.js';
import { writeMove } from '../../../static/js/engine/rules/notation/uci.js';
import { compile } from '../../../static/js/engine/rules/tables.js';
import { isInCheck } from '../../../static/js/engine/rules/attacks.js';
import { Solver } from '../../../static/js/engine/search/solver.js';
import { all } from './variants.mjs';

const solvers = new Map();
function solverOf(variant) {
  if (!solvers.has(variant)) solvers.set(variant, new Solver(compile(all.get(variant))));
  return solvers.get(variant);
}
const position = (fen, variant = 'chess') => parseFen(solverOf(variant).tables, fen);
const proof = (fen, variant = 'chess') => solverOf(variant).prove(position(fen, variant));

/** With White to move, unless it says otherwise. */
const KNOWN = [
  // Queen and rook at their longest: mate in 10 and in 16.
  ['3Q4/8/8/8/8/4k3/8/K7 b', 0, null],
  ['8/8/8/8/4k3/8/8/R3K3', 0, null],
  // The queen falls; a bishop alone never mates, so there the game is over and nothing is to be proved.
  ['8/8/8/8/8/1k6/1Q6/7K b', null, 0],
  // The king before its pawn on the sixth rank wins whoever moves; beside it, who has to move decides.
  ['3k4/8/3K4/3P4/8/8/8/8 b', 0, null],
  ['4k3/8/4K3/4P3/8/8/8/8', 0, null],
  ['4k3/8/3KP3/8/8/8/8/8', 0, null],
  ['4k3/8/3KP3/8/8/8/8/8 b', null, 0],
  // A rook's pawn with the king before it; one that the king catches, and one that it does not.
  ['k7/8/K7/P7/8/8/8/8', null, 0],
  ['8/8/8/P3k3/8/8/8/7K b', null, 0],
  ['8/8/8/P4k2/8/8/8/7K b', 0, null],
  // To become a queen would be stalemate, a rook is not.
  ['8/2P5/8/k1K5/8/8/8/8 b', 0, null],
  // Mate at once, and what is Black's.
  ['7k/5Q2/6K1/8/8/8/8/8', 0, 1],
  ['8/8/8/8/8/6k1/5q2/7K b', 1, 1],
];
for (const [fen, winner, plies] of KNOWN)
  test(`known: ${fen}`, () => {
    const [board, side = 'w'] = fen.split(' ');
    const found = proof(`${board} ${side} - - 0 1`);
    assert.equal(found.winner, winner);
    if (plies !== null) assert.equal(found.plies, plies);
  });

/** The longest win of White in an ending that is solved, in half-moves: with White to move, and with Black. */
function longest(solver, letters) {
  const men = letters.map(letter => solver.tables.codes.bySymbol.get(letter)).sort((one, other) => one - other);
  const { states, plies, half } = solver.endings.get(men.join());
  const [won, lost] = [2, 3];
  const most = [0, 0];
  states.forEach((state, at) => {
    const side = at < half ? 0 : 1;
    if (state === (side ? lost : won)) most[side] = Math.max(most[side], plies[at]);
  });
  return most;
}

test('queen and rook mate in as many moves as is known: 10 and 16', () => {
  proof('3Q4/8/8/8/8/4k3/8/K7 b - - 0 1');
  proof('8/8/8/8/4k3/8/8/R3K3 w - - 0 1');
  assert.deepEqual(longest(solverOf('chess'), ['K', 'Q', 'k']), [19, 20]);
  assert.deepEqual(longest(solverOf('chess'), ['K', 'R', 'k']), [31, 32]);
});

test('nothing is said of more pieces, rights, a game that is over, or a win that the move rule may forestall', () => {
  for (const fen of [
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
    '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1',
    '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1',
    '8/8/8/8/4k3/8/8/B3K3 w - - 0 1',
    '8/8/8/8/4k3/8/8/R3K3 w - - 80 60',
  ]) {
    const p = position(fen);
    const before = writeFen(p);
    assert.equal(solverOf('chess').prove(p), null, fen);
    assert.equal(writeFen(p), before);
  }
  assert.equal(proof('8/8/8/8/4k3/8/8/R3K3 w - - 20 60').winner, 0);
});

test('the best play of both ends in mate, when it was said', () => {
  const p = position('8/8/8/8/4k3/8/8/R3K3 w - - 0 1');
  const { plies, moves } = solverOf('chess').prove(p);
  const made = [];
  solverOf('chess').follow(p, moves[0].move, 100, move => made.push(writeMove(p, move)));
  assert.equal(made.length, plies);
  for (const move of made) {
    const end = generate(p, 0);
    make(
      p,
      Array.from(p.moves.subarray(0, end)).find(one => writeMove(p, one) === move),
    );
  }
  assert.deepEqual(outcome(p), { winner: 0, reason: 'checkmate' });
});

/** Of so many positions of a variant is it checked. */
const TRIED = 400;

/** Numbers below `most`, the same in each run. @param {number} seed */
function chance(seed) {
  let state = seed;
  return most => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % most;
  };
}

/** Two kings and a piece on squares by chance; null if they cannot stand there. */
function placed(tables, piece, draw, side) {
  const { files, ranks, roles } = tables.variant;
  const royal = Object.keys(roles).find(role => roles[role].royal);
  const board = new Array(files * ranks).fill('1');
  for (const man of [royal.toUpperCase(), royal, draw(2) ? piece : piece.toUpperCase()])
    board[draw(board.length)] = man;
  const rows = Array.from({ length: ranks }, (_, row) => board.slice(row * files, (row + 1) * files).join(''));
  const written = rows.map(row => row.replace(/1+/g, run => String(run.length)));
  try {
    return parseFen(tables, `${written.join('/')} ${side} - - 0 1`);
  } catch {
    return null;
  }
}

/**
 * What a position is worth follows from what its moves lead to, and an end is as the rules say: where that holds everywhere, a
 * win comes nearer with each move and a draw can be kept, so all of it is true.
 */
function checkStep(solver, p) {
  const { winner, plies, moves } = solver.prove(p) ?? {};
  if (winner === undefined) return false;
  assert.equal(moves[0].winner, winner);
  assert.equal(moves[0].plies, plies);
  const fen = writeFen(p);
  const worths = Array.from(p.moves.subarray(0, generate(p, 0))).map(move => {
    make(p, move);
    const over = outcome(p);
    const next = over ? { winner: over.winner, plies: 0 } : solver.prove(p);
    unmake(p);
    return next;
  });
  assert.ok(worths.every(Boolean), fen);
  const own = worths.filter(worth => worth.winner === p.side).map(worth => worth.plies);
  if (own.length) assert.deepEqual([winner, plies], [p.side, 1 + Math.min(...own)], fen);
  else if (worths.some(worth => worth.winner === null)) assert.equal(winner, null, fen);
  else assert.deepEqual([winner, plies], [1 - p.side, 1 + Math.max(...worths.map(worth => worth.plies))], fen);
  return true;
}

const silent = [];
for (const [id, variant] of all) {
  const royal = Object.keys(variant.roles).find(role => variant.roles[role].royal);
  if (variant.files * variant.ranks > 64 || !royal) continue;
  test(`${id}: what is proved fits the rules, move by move`, () => {
    const [tables, draw] = [compile(all.get(id)), chance(id.length)];
    const solver = new Solver(tables);
    // All of chess, and of each other variant one piece.
    const pieces = Object.keys(variant.roles).filter(role => role !== royal);
    const tried = id === 'chess' ? pieces : [pieces[draw(pieces.length)]];
    let proved = 0;
    for (let nth = 0; nth < TRIED; nth++) {
      const p = placed(tables, tried[nth % tried.length], draw, nth % 2 ? 'w' : 'b');
      if (p && !isInCheck(p, 1 - p.side) && checkStep(solver, p)) proved++;
    }
    if (!proved) silent.push(id);
    // Where rules ask for more than where pieces stand, it is silent.
    const { captures, mustCapture, mayNotCheck, explodes, endings } = variant.rules;
    const asksMore = captures || mustCapture || mayNotCheck || explodes || endings.checks || endings.goal?.reply;
    if (asksMore) assert.equal(proved, 0);
  });
}

test('many variants have something to prove', () => assert.ok(silent.length < all.size / 2, silent.join()));

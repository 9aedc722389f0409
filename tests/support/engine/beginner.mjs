/**
 * A beginner as a yardstick for the lowest level: takes what is undefended or worth more, mates at once, leaves neither a
 * mate nor a piece for nothing, and otherwise moves at random. Sees no further than one answer, and has no plan.
 */
import { outcome } from '../../../static/js/engine/rules/endings.js';
import { generate } from '../../../static/js/engine/rules/generation.js';
import { make, unmake } from '../../../static/js/engine/rules/making.js';
import { DROP, originOf, targetOf, typeOf } from '../../../static/js/engine/rules/moves.js';

/** Hundredths of a pawn that a beginner does not tell apart. */
const ALIKE = 30;
const MATES = 100_000;
const MATED = -50_000;

/** The move of a beginner, in a position that has one. `worth`: of pieces, by code; `random`: numbers from 0 to below 1. */
export function beginnersMove(position, worth, random) {
  let best = Number.NEGATIVE_INFINITY;
  let moves = [];
  for (const move of legal(position)) {
    const value = judge(position, worth, move);
    if (value > best + ALIKE) moves = [];
    if (value >= best - ALIKE) moves.push(move);
    best = Math.max(best, value);
  }
  return moves[Math.floor(random() * moves.length)];
}

const legal = position => [...position.moves.slice(0, generate(position, 0))];

/** What a move takes, and whether it is for nothing; less what the other side can take then. */
function judge(position, worth, move) {
  const taken = victim(position, worth, move);
  const mover = typeOf(move) === DROP ? 0 : worth[position.board[originOf(move)]];
  make(position, move);
  const end = outcome(position);
  const value = end ? (end.winner === null ? 0 : MATES) : afterwards(position, worth, taken, mover, targetOf(move));
  unmake(position);
  return value;
}

function afterwards(position, worth, taken, mover, square) {
  const answers = legal(position);
  if (answers.some(answer => isMate(position, answer))) return MATED;
  const back = takesOn(answers, square);
  const gained = taken && (!back || taken > mover) ? taken - (back ? mover : 0) : 0;
  return gained - Math.max(0, ...answers.map(answer => lossBy(position, worth, answer)));
}

const victim = (position, worth, move) => (typeOf(move) === DROP ? 0 : worth[position.board[targetOf(move)]]);
const takesOn = (moves, square) => moves.some(move => typeOf(move) !== DROP && targetOf(move) === square);

function isMate(position, move) {
  make(position, move);
  const end = outcome(position);
  unmake(position);
  return end !== null && end.winner === position.side;
}

/** What the other side wins by a capture, if it is taken back where that is possible. */
function lossBy(position, worth, move) {
  const taken = victim(position, worth, move);
  if (!taken) return 0;
  const captor = worth[position.board[originOf(move)]];
  make(position, move);
  const back = takesOn(legal(position), targetOf(move));
  unmake(position);
  return taken - (back ? captor : 0);
}

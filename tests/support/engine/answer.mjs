/**
 * Answers questions about games with the rules of the client's engine, one JSON line for each: the questions and answers
 * of `python -m server.rules judge`, {"variant", "chess960", "fen", "perft": depth}, and {"variant", "fen", "legal": UCIs,
 * "typed": texts}: what the field for moves makes of each, a UCI or a problem.
 * The first line of the input is the list of variants.
 */
import { createInterface } from 'node:readline';
import '../../js/english.mjs';
import { LineWriter } from '../../../static/js/explain/line_writer.js';
import { parseFen as parseShown } from '../../../static/js/board/position.js';
import { readMove } from '../../../static/js/game/read_move.js';
import { RulesBoard } from '../../../static/js/explain/rules_board.js';
import { outcome } from '../../../static/js/engine/rules/endings.js';
import { parseFen, writeFen } from '../../../static/js/engine/rules/notation/fen.js';
import { make, unmake } from '../../../static/js/engine/rules/making.js';
import { perft } from '../../../static/js/engine/session.js';
import { compile } from '../../../static/js/engine/rules/tables.js';
import { legalUcis, parseMove } from '../../../static/js/engine/rules/notation/uci.js';

const REASONS = { 0: '1-0', 1: '0-1', null: '1/2-1/2' };
const variants = new Map();
const known = new Map();

/** What is worked out of a variant once, for all questions about it. */
function knownOf(id) {
  if (!known.has(id)) {
    const variant = variants.get(id);
    known.set(id, { tables: compile(variant), writer: new LineWriter(variant, variant) });
  }
  return known.get(id);
}

const PROBLEMS = { illegal: /not legal/, unreadable: /not a move/ };

/** The UCI that a typed text means, or the id of what is wrong with it. */
function meant(text, variant, fen, legal) {
  const { uci, problem } = readMove(text, variant, parseShown(fen), legal);
  return uci ?? Object.keys(PROBLEMS).find(id => PROBLEMS[id].test(problem)) ?? 'ambiguous';
}

function answer({ variant, chess960 = false, fen, moves = [], perft: depth, typed, legal }) {
  if (typed) return typed.map(text => meant(text, variants.get(variant), fen, legal));
  const { tables, writer } = knownOf(variant);
  const position = parseFen(tables, fen ?? tables.variant.startFen, chess960);
  if (depth) return perft(position, depth);
  const found = { fens: [], checks: [], legal: [legalUcis(position).sort()] };
  for (const uci of moves) {
    make(position, parseMove(position, uci));
    found.fens.push(writeFen(position));
    found.legal.push(legalUcis(position).sort());
    found.checks.push(position.checks > 0);
  }
  const { startFen } = tables.variant;
  const board = new RulesBoard(tables.variant, tables, fen ?? startFen, chess960);
  for (const uci of moves) board.play(uci);
  found.ended = board.ended && { result: board.ended.result, reason: board.ended.reason };
  found.sans = writer.write(fen ?? startFen, chess960, moves).map(({ san }) => san);
  const end = outcome(position);
  return { ...found, outcome: end && { result: REASONS[end.winner], reason: end.reason }, undone: undone(position) };
}

/** What is there when all moves are taken back: position and hash must be those of the beginning. */
function undone(position) {
  while (position.ply) unmake(position);
  const again = parseFen(position.tables, writeFen(position), position.chess960);
  const hash = p => [p.low, p.high, p.extra, ...p.count, ...p.pieceCount, ...p.held, ...p.kings].join();
  return { fen: writeFen(position), sameHash: hash(position) === hash(again) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  if (Array.isArray(question)) for (const variant of question) variants.set(variant.id, variant);
  else process.stdout.write(`${JSON.stringify(answer(question))}\n`);
}

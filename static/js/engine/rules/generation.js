/**
 * Generates the legal moves of a position into `position.moves`.
 *
 * Checks and pins are found first, so most moves need no test of their own; only king moves, en passant and castling are
 * tested for attacks on the king. Where the rules are in doubt, the server's decide: server/rules/movegen/legal.py.
 *
 * @import { Position } from './position.js'
 */
import { canAnswer, findChecks, found, isAttacked, isInCheck } from './attacks.js';
import { addCastlings } from './castling.js';
import { addEnPassant } from './en_passant.js';
import { CASTLE, DROP, encode, GATE, ORIGIN_SHIFT, originOf, PROMOTION, STEP, targetOf, typeOf } from './moves.js';
import { make, unmake } from './making.js';
import { awaitsReply, variantEnd } from './variant_ends.js';
import { withPromotions } from './promotion.js';
import { BLACK } from './pieces.js';
import { isDark } from './variant_rules.js';

/** By square: stands a pinned piece there? All 0 between two generations. */
const isPinned = new Uint8Array(256);

/**
 * Writes the legal moves from `base` on, and how many pieces give check to `checks`. None if the variant has ended the game.
 * @param {Position} p @param {number} base @returns {number} their end
 */
export function generate(p, base) {
  p.reserve(base);
  findChecks(p);
  p.checks = p.tables.around ? Number(isInCheck(p, p.side)) : found.checks;
  if (p.tables.ends && variantEnd(p)) return base;
  const end = generateAll(p, base);
  return p.tables.ends && awaitsReply(p) && !canArrive(p, base, end) ? base : end;
}

/** Does one of these moves bring a piece to its goal? @param {Position} p @param {number} base @param {number} end */
function canArrive(p, base, end) {
  const { squares, codes } = p.tables.goals[p.side];
  for (let at = base; at < end; at++)
    if (codes[p.board[originOf(p.moves[at])]] && squares.includes(targetOf(p.moves[at]))) return true;
  return false;
}

/** As `generate`, as if only the lack of moves ended a game. @param {Position} p @param {number} base */
function generateAll(p, base) {
  const end = generateSafe(p, base);
  return p.tables.restricted ? keepAllowed(p, base, end) : end;
}

/** Keeps those moves that the variant allows, of moves that leave the own king safe. @param {Position} p @param {number} base @param {number} end */
function keepAllowed(p, base, end) {
  const { mayNotCheck, mustCapture } = p.tables.variant.rules;
  const quiet = mayNotCheck ? keep(p, base, end, givesNoCheck) : end;
  if (!mustCapture || !p.moves.subarray(base, quiet).some(move => isCapture(p, move))) return quiet;
  return keep(p, base, quiet, isCapture);
}

/** @param {Position} p @param {number} base @param {number} end @param {(p: Position, move: number) => boolean} wanted */
function keep(p, base, end, wanted) {
  let kept = base;
  for (let at = base; at < end; at++) if (wanted(p, p.moves[at])) p.moves[kept++] = p.moves[at];
  return kept;
}

/** @param {Position} p @param {number} move */
function givesNoCheck(p, move) {
  make(p, move);
  const king = p.kings[p.side];
  const checks = king >= 0 && isAttacked(p, king, 1 - p.side, -1);
  unmake(p);
  return !checks;
}

/** @param {Position} p @param {number} move */
function isCapture(p, move) {
  const type = typeOf(move);
  return type !== DROP && type < CASTLE && (p.board[targetOf(move)] > 0 || isEnPassant(p, move));
}

/** The moves that leave the own king safe. @param {Position} p @param {number} base */
function generateSafe(p, base) {
  if (p.tables.around) {
    const last = addSurviving(p, base);
    return p.castling && !p.checks ? addCastlings(p, last) : last;
  }
  const holds = p.held[p.side] > 0;
  if (holds && p.tables.setup) return addSetupDrops(p, base);
  let end = addSteps(p, base);
  if (p.castling && !p.checks) end = addCastlings(p, end);
  if (!holds) return end;
  if (p.gates) end = addGatings(p, base, end);
  return p.tables.variant.drops ? addDrops(p, end) : end;
}

/**
 * Only captures and promotions, and no drops: for positions without check.
 * @param {Position} p @param {number} base @returns {number} their end
 */
export function generateLoud(p, base) {
  p.reserve(base);
  findChecks(p);
  p.checks = p.tables.around ? Number(isInCheck(p, p.side)) : found.checks;
  if (p.held[p.side] > 0 && p.tables.setup) return base;
  const end = p.tables.around ? addSurviving(p, base) : addSteps(p, base);
  let kept = base;
  for (let at = base; at < end; at++) {
    const move = p.moves[at];
    if (p.board[targetOf(move)] || typeOf(move) === PROMOTION || isEnPassant(p, move)) p.moves[kept++] = move;
  }
  return p.tables.restricted ? keepAllowed(p, base, kept) : kept;
}

/** @param {Position} p @param {number} move a step */
const isEnPassant = (p, move) => targetOf(move) === p.enPassant && p.tables.codes.pawn[p.board[originOf(move)]] === 1;

/** The same where captures explode: each is tried, as it may clear lines and kings from the board. @param {Position} p @param {number} base */
function addSurviving(p, base) {
  const { board, side, tables } = p;
  let end = base;
  for (let square = 0; square < tables.size; square++)
    if (board[square] && board[square] >> 7 === side) end = addPieceMoves(p, square, end);
  if (p.enPassant >= 0 && !board[p.enPassant]) end = addEnPassant(p, end);
  return keep(p, base, end, survives);
}

/** Does the own king outlive the move, or else the enemy's explode without it? @param {Position} p @param {number} move */
function survives(p, move) {
  const { side } = p;
  make(p, move);
  const lives = p.kings[side] >= 0 && (p.kings[1 - side] < 0 || !isInCheck(p, side));
  unmake(p);
  return lives;
}

/** Moves of pieces on the board, without castling. @param {Position} p @param {number} base */
function addSteps(p, base) {
  const { board, side, tables } = p;
  const king = p.kings[side];
  let end = base;
  if (canAnswer()) {
    markPins(1);
    for (let square = 0; square < tables.size; square++) {
      const code = board[square];
      if (code === 0 || code >> 7 !== side || square === king) continue;
      const start = end;
      end = addPieceMoves(p, square, end);
      if (isPinned[square]) end = keepPinned(p, square, start, end);
    }
    markPins(0);
    if (found.checks) end = keepAnswers(p, base, end);
    if (p.enPassant >= 0 && !board[p.enPassant]) end = addEnPassant(p, end);
  }
  return king >= 0 ? addKingMoves(p, king, end) : end;
}

/** @param {number} mark */
function markPins(mark) {
  for (let pin = 0; pin < found.pins; pin++) isPinned[found.pinned[pin]] = mark;
}

/** @param {Position} p @param {number} square @param {number} start @param {number} end */
function keepPinned({ moves }, square, start, end) {
  let last = end;
  for (let pin = 0; pin < found.pins; pin++) {
    if (found.pinned[pin] !== square) continue;
    let kept = start;
    for (let at = start; at < last; at++) if (found.still[(pin << 8) | targetOf(moves[at])]) moves[kept++] = moves[at];
    last = kept;
  }
  return last;
}

/** @param {Position} p @param {number} start @param {number} end */
function keepAnswers({ moves }, start, end) {
  let kept = start;
  for (let at = start; at < end; at++)
    if (found.answers[targetOf(moves[at])] === found.checks) moves[kept++] = moves[at];
  return kept;
}

/** @param {Position} p @param {number} king @param {number} start */
function addKingMoves(p, king, start) {
  const end = addPieceMoves(p, king, start);
  let kept = start;
  for (let at = start; at < end; at++)
    if (!isAttacked(p, targetOf(p.moves[at]), 1 - p.side, king)) p.moves[kept++] = p.moves[at];
  return kept;
}

// Pseudo-legal moves of one piece, with its promotions: the innermost loop of the rules.

/** @param {Position} p @param {number} origin @param {number} start @returns {number} the end of the moves written from `start` on */
function addPieceMoves(p, origin, start) {
  const { reach, promotions } = p.tables;
  const code = p.board[origin];
  const at = (code << 8) | origin;
  let end = start;
  if (reach.both[at]) end = addBoth(p, reach.both[at], origin, end);
  if (reach.divided[at]) end = addDivided(p, reach.divided[at], origin, end);
  if (reach.bent[at]) end = addBent(p, reach.bent[at], origin, end);
  const rule = promotions[code];
  return rule && end > start ? withPromotions(p, rule, origin, start, end) : end;
}

/** @param {Position} p @param {number} program @param {number} origin @param {number} start */
function addBoth(p, program, origin, start) {
  const { board, moves, side } = p;
  const { data } = p.tables.reach;
  const from = origin << ORIGIN_SHIFT;
  let end = start;
  let at = program;
  for (let jumps = data[at++]; jumps > 0; jumps--) {
    const target = data[at++];
    const code = board[target];
    if (code === 0 || code >> 7 !== side) moves[end++] = from | target;
  }
  for (let rays = data[at++]; rays > 0; rays--) {
    const next = at + 1 + data[at];
    for (at++; at < next; at++) {
      const code = board[data[at]];
      if (code === 0) moves[end++] = from | data[at];
      else {
        if (code >> 7 !== side) moves[end++] = from | data[at];
        break;
      }
    }
    at = next;
  }
  return end;
}

/** Moves of a piece that moves and captures in different ways, as a pawn does. @param {Position} p @param {number} program @param {number} origin @param {number} start */
function addDivided(p, program, origin, start) {
  const { board, moves, side } = p;
  const { data } = p.tables.reach;
  const from = origin << ORIGIN_SHIFT;
  let end = start;
  let at = program;
  for (let rays = data[at++]; rays > 0; rays--) {
    const next = at + 1 + data[at];
    for (at++; at < next && board[data[at]] === 0; at++) moves[end++] = from | data[at];
    at = next;
  }
  for (let rays = data[at++]; rays > 0; rays--) {
    const next = at + 1 + data[at];
    for (at++; at < next; at++) {
      const code = board[data[at]];
      if (code === 0) continue;
      if (code >> 7 !== side) moves[end++] = from | data[at];
      break;
    }
    at = next;
  }
  return end;
}

/** @param {Position} p @param {number} program @param {number} origin @param {number} start */
function addBent(p, program, origin, start) {
  const { board, moves, side } = p;
  const { data } = p.tables.reach;
  const from = origin << ORIGIN_SHIFT;
  let end = start;
  let at = program;
  for (let bents = data[at++]; bents > 0; bents--) {
    const elbow = board[data[at]];
    if (elbow === 0 || elbow >> 7 !== side) moves[end++] = from | data[at];
    at++;
    for (let rays = data[at++]; rays > 0; rays--) {
      const next = at + 1 + data[at];
      for (at++; elbow === 0 && at < next; at++) {
        const code = board[data[at]];
        if (code === 0 || code >> 7 !== side) moves[end++] = from | data[at];
        if (code) break;
      }
      at = next;
    }
  }
  return end;
}

// Pieces that come in from the pocket: drops, drops in a set-up phase, and gating behind a piece that moves.

/** Drops on empty squares; in check on those that meet it. @param {Position} p @param {number} start @returns {number} the end of the moves */
function addDrops(p, start) {
  const { board, moves, side, tables } = p;
  let end = start;
  for (let place = 0; place < p.roles; place++) {
    if (!p.pockets[side * p.roles + place]) continue;
    const drop = encode(DROP, tables.pocketKinds[place], 0, 0);
    const zone = tables.dropZones[side][place];
    for (let nth = 0; nth < zone.length; nth++) {
      const square = zone[nth];
      if (board[square] === 0 && (found.checks === 0 || found.answers[square] === found.checks))
        moves[end++] = drop | square;
    }
  }
  return end;
}

/** Every plain move from a square with a gating right, with each piece that may be gated. @param {Position} p @param {number} base @param {number} start @returns {number} the end */
function addGatings(p, base, start) {
  const { gates, moves, side, tables } = p;
  let end = start;
  for (let at = base; at < start; at++) {
    const move = moves[at];
    const origin = originOf(move);
    if (typeOf(move) !== STEP || !(gates & ~tables.keep[origin])) continue;
    for (const kind of tables.gateKinds)
      if (p.pockets[side * p.roles + tables.pocketKinds.indexOf(kind)])
        moves[end++] = encode(GATE, kind, origin, targetOf(move));
  }
  return end;
}

/**
 * The drops after which every pair can still be placed on opposite colours. There are no checks while the armies are set
 * up behind their pawns.
 * @param {Position} p @param {number} start @returns {number} the end of the moves
 */
function addSetupDrops(p, start) {
  const { board, side, tables } = p;
  const pairs = tables.paired.flatMap((paired, place) => (paired ? [place] : []));
  let end = start;
  for (let place = 0; place < p.roles; place++) {
    if (!p.pockets[side * p.roles + place]) continue;
    for (const square of tables.dropZones[side][place]) {
      if (board[square]) continue;
      if (tables.paired[place] && !wanted(p, place).has(isDark(tables.variant, square))) continue;
      if (pairs.every(pair => canComplete(p, pair, place, square)))
        p.moves[end++] = encode(DROP, tables.pocketKinds[place], 0, square);
    }
  }
  return end;
}

/** The square colours (true = dark) that the pieces of a pair in the pocket still need. @param {Position} p @param {number} place */
function wanted(p, place) {
  const { board, side, tables } = p;
  if (!p.pockets[side * p.roles + place]) return new Set();
  const colors = new Set([true, false]);
  const code = side * BLACK + tables.pocketKinds[place];
  for (let square = 0; square < tables.size; square++)
    if (board[square] === code) colors.delete(isDark(tables.variant, square));
  return colors;
}

/** Is there a free square of each colour that a pair still needs after a drop? @param {Position} p @param {number} pair @param {number} place @param {number} target */
function canComplete(p, pair, place, target) {
  const { board, side, tables } = p;
  const needs = wanted(p, pair);
  if (pair === place) needs.delete(isDark(tables.variant, target));
  for (const square of tables.dropZones[side][pair])
    if (!board[square] && square !== target) needs.delete(isDark(tables.variant, square));
  return needs.size === 0;
}

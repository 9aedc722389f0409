/**
 * Typed moves: finds the one legal move that a text means. Takes SAN and UCI as people type them: e4, Nf3, exd5, nbd2,
 * O-O, 0-0-0, e8=Q, e8q, N@f3, @e4, a10b12, Nc3/H, O-O/He1. Every move found is in the server's list.
 *
 * @import { Position } from '../board/position.js'
 * @import { Variant } from '../board/variant.js'
 * @import { Candidate } from './candidate.js'
 * @typedef {{uci: string} | {problem: string}} TypedMove
 */
import { gesturesOf } from '../board/gestures.js';
import { t } from '../words.js';
import { candidateOf } from './candidate.js';

const COORDINATES = /^([a-z]\d{1,2})[-x]?([a-z]\d{1,2})=?([a-z+]?)$/i;
const CASTLING = /^([o0]-?[o0])(-?[o0])?(?:\/([a-z])([a-z]\d+)?)?$/i;
const DROP = /^([a-z]?)@([a-z]\d{1,2})$/i;
const SAN = /^([A-Z]?)([a-p]?)(\d{0,2})[x:]?([a-p]\d{1,2})(?:=?([A-Z+]))?(?:\/([A-Z])([a-p]\d+)?)?$/;

/**
 * @param {string} text @param {Variant} variant @param {Position} position @param {string[]} legal UCI
 * @returns {TypedMove}
 */
export function readMove(text, variant, position, legal) {
  const typed = text.replace(/\s/g, '');
  const exact = legal.find(uci => uci.toLowerCase() === typed.toLowerCase());
  if (exact) return { uci: exact };
  const bare = typed.replace(/[+#!?]+$/, '');
  const candidates = legal.map(uci => candidateOf(variant, position, uci));
  const capital = bare.charAt(0).toUpperCase() + bare.slice(1);
  const readings = [bare, capital].flatMap(attempt => [
    byCoordinates(attempt, variant, position, legal, candidates),
    byCastling(attempt, candidates),
    byDrop(attempt, candidates),
    bySan(attempt, candidates),
  ]);
  const found = readings.find(reading => reading?.length);
  if (found) return found.length === 1 ? { uci: found[0].uci } : { problem: ambiguity(text, found) };
  if (readings.some(reading => reading !== null)) return { problem: t('board.impossible', { text }) };
  return { problem: t('board.no_move', { text }) };
}

/** From square to square, as with a mouse. @returns {Candidate[] | null} null: the text has another form
 * @param {string} text @param {Variant} variant @param {Position} position @param {string[]} legal
 * @param {Candidate[]} candidates */
function byCoordinates(text, variant, position, legal, candidates) {
  const found = COORDINATES.exec(text.toLowerCase());
  if (!found) return null;
  const [, from, to, suffix] = found;
  const options = gesturesOf(variant, position, legal).get(from)?.get(to) ?? [];
  const meant = options.filter(option => option.suffix === suffix);
  const ucis = (meant.length ? meant : suffix ? [] : options).map(({ uci }) => uci);
  return candidates.filter(({ uci }) => ucis.includes(uci));
}

/** @param {string} text @param {Candidate[]} candidates */
function byCastling(text, candidates) {
  const found = CASTLING.exec(text);
  if (!found) return null;
  const [, , long, gated = '', gate] = found;
  return candidates.filter(
    candidate =>
      candidate.castles === (long ? 1 : 0) &&
      candidate.gated === gated.toUpperCase() &&
      (!gate || candidate.gate === gate),
  );
}

/** @param {string} text @param {Candidate[]} candidates */
function byDrop(text, candidates) {
  const found = DROP.exec(text);
  if (!found) return null;
  const [, letter, to] = found;
  return candidates.filter(
    candidate =>
      candidate.drop &&
      candidate.to === to.toLowerCase() &&
      (letter ? candidate.letter === letter.toUpperCase() : candidate.pawn),
  );
}

/** @param {string} text @param {Candidate[]} candidates */
function bySan(text, candidates) {
  const found = SAN.exec(text);
  if (!found) return null;
  const [, letter, file, rank, to, promotion = '', gated = '', gate] = found;
  const moves = candidates.filter(
    ({ pawn, letter: kind, from, to: target, gated: enters, gate: where, castles }) =>
      from !== null &&
      castles === null &&
      target === to &&
      (letter ? kind === letter : pawn) &&
      // As in SAN: "e5" is a step. If it has just become illegal, it must not turn into dxe5.
      (!pawn || file || from[0] === to[0]) &&
      (!file || from[0] === file) &&
      (!rank || from.slice(1) === rank) &&
      enters === gated &&
      (!gate || where === gate),
  );
  if (promotion === '+') return moves.filter(move => move.becomes !== '');
  const meant = moves.filter(move => move.becomes === promotion);
  return meant.length || promotion ? meant : moves;
}

/** @param {string} text @param {Candidate[]} found */
function ambiguity(text, found) {
  const promotions = [...new Set(found.map(({ becomes: letter }) => letter))];
  const or = ` ${t('board.or')} `;
  if (promotions.length > 1)
    return t('board.which_becomes', { choices: promotions.map(p => (p ? `=${p}` : t('board.as_it_is'))).join(', ') });
  const gates = found.flatMap(({ gate }) => gate ?? []);
  if (gates.length > 1) return t('board.which_gate', { places: gates.map(gate => `${text}${gate}`).join(or) });
  const origins = found.map(({ from }) => from).filter(from => from !== null);
  return t('board.which_origin', { squares: origins.join(or) });
}

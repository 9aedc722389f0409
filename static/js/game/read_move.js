/**
 * Typed moves: finds the one legal move that a text means, in any form that the server's reader of moves takes
 * (rules/notation/move_reader): e4, Nf3, Ng1-f3, exd6 e.p., nbd2, O-O, 0–0–0, e1h1, e8=Q, bxc8r, N@f3, ♘f3, Nc3/H,
 * O-O/He1. Both pass one table, tests/rules/notation/move_forms.json. Every move found is in the server's list.
 *
 * @import { Position } from '../board/position.js'
 * @import { Variant } from '../board/variant.js'
 * @import { Candidate } from './candidate.js'
 * @typedef {{uci: string} | {problem: string}} TypedMove
 */
import { gesturesOf } from '../board/gestures.js';
import { t } from '../words.js';
import { candidateOf } from './candidate.js';
import { writeMove } from './write_move.js';

const COORDINATES = /^([A-Z]?)([a-p]\d{1,2})[-x:]?([a-p]\d{1,2})(?:=\(|[=/(])?([a-z+]?)\)?$/i;
const CASTLING = /^([o0]-?[o0])(-?[o0])?(?:\/([a-z])([a-p]\d*)?)?$/i;
const DROP = /^([a-z]?)[@*]([a-p]\d{1,2})$/i;
/** A capture as some programs write it, B*c6, where it is no drop. */
const STARRED = /^([a-z]?[a-p]?\d{0,2})\*([a-p]\d.*)$/i;
const SAN = /^([A-Z]?)([a-p]?)(\d{0,2})[-x:]?([a-p]\d{1,2})(?:(?:=\(|[=/(])?([A-Za-z+])\)?)?$/;
const GATED = /^([A-Z]?)([a-p]?)(\d{0,2})[-x:]?([a-p]\d{1,2})\/([A-Za-z])([a-p]\d+)?$/;
const SMALL = /^([a-p])(?!\d)[a-p]?\d{0,2}[-x:]?([a-p])(\d{1,2})/;
/** What may follow a move and says nothing about which it is: check, mate, en passant, praise. */
const AFTER =
  /(?<=[\dA-Z)oh])(?:[+#!?]+|\/?\(?[eE]\.?[pP]\.?\)?(?![a-z])|(?:(?:dbl|dis|disc)\.?)?ch(?![a-z])\.?|mate(?![a-z])\.?)+$/;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
/** What stands between two squares for a dash: e2->e4, e2_e4. */
const ARROWS = /(?<=\d)(?:[=-]?>|_|→)(?=[a-p]\d)/gi;
const IN_BRACKETS = /(?<=\d)=?\[([a-z])\]/gi;
/** A move with what a pawn becomes in words: d8=Queen. */
const BY_NAME = /^(.*\d)=?\(?([a-z]{3,20})\)?([+#!?]*)$/i;
const INVISIBLE = /\u00ad|[\u200b-\u200f]|\u2060|\ufe0e|\ufe0f|\ufeff/g;
/** A move that was made to stand out, in Markdown. */
const EMPHASIS = /^([*_`]{1,3})(.+)\1$/;
/** A piece before where it comes from, as servers of the 1990s say it: P/e2-e4, N/@@-f3. */
const FROM = /^([A-Z])\/(?:@(@)-)?(?=[a-p]\d)/;
const QUOTES = /^[.,;"'“”„‘’«»]+|[.,;"'“”„‘’«»]+$/g;
/** Figurines, Russian letters of pieces, and characters of other alphabets that look like those of notation. @type {Record<string, string>} */
// biome-ignore format: a table of pairs
const ALIKE = {
  '♔': 'K', '♕': 'Q', '♖': 'R', '♗': 'B', '♘': 'N', '♙': '', '♚': 'K', '♛': 'Q', '♜': 'R', '♝': 'B', '♞': 'N', '♟': '',
  '×': 'x', '✕': 'x', '†': '+', '‡': '++', '≠': '#', О: 'O', о: 'o',
  К: 'N', Ф: 'Q', Л: 'R', С: 'B', а: 'a', с: 'c', е: 'e', х: 'x',
};

/**
 * @param {string} text @param {Variant} variant @param {Position} position @param {string[]} legal UCI
 * @returns {TypedMove}
 */
export function readMove(text, variant, position, legal) {
  const typed = withLetter(tidied(text), variant);
  const exact = legal.find(uci => uci.toLowerCase() === typed.toLowerCase());
  if (exact && !namesPiece(typed, variant)) return { uci: exact };
  const bare = typed.replace(AFTER, '');
  const candidates = legal.map(uci => candidateOf(variant, position, uci));
  /** What the first of the ways to read a text finds that finds something; null if it is in no notation.
   * @param {string} attempt */
  const asWritten = attempt => {
    const castling = byCastling(attempt, candidates);
    if (castling) return castling;
    if (attempt.charCodeAt(0) - 97 >= variant.files) return null; // no file of this board, so the letter of a piece
    const readings = [
      bySan(attempt, candidates),
      byDrop(attempt, candidates),
      byStar(attempt, position, candidates),
      byCoordinates(typed, variant, position, legal, candidates),
      byCoordinates(attempt, variant, position, legal, candidates),
    ].filter(reading => reading !== null);
    return readings.find(reading => reading.length) ?? (readings.length ? [] : null);
  };
  let found = asWritten(bare);
  if (found?.length === 0 && isPieceInSmall(bare, variant, position))
    found = asWritten(bare.charAt(0).toUpperCase() + bare.slice(1));
  const isInNotation = found !== null;
  found ??= regardlessOfCase(bare, variant, position, legal, candidates);
  if (found.length) return found.length === 1 ? { uci: found[0].uci } : { problem: ambiguity(text, found) };
  return { problem: t(isInNotation ? 'board.impossible' : 'board.no_move', { text }) };
}

/** "B1c3" is a bishop of the first rank, and never the knight on b1. @param {string} text @param {Variant} variant */
const namesPiece = (text, variant) =>
  /^[A-P]\d+[-x:]?[a-p]\d/.test(text) && Object.values(variant.roles).some(({ san }) => san === text.charAt(0));

/** Is the first letter, which could be a file, that of a piece, as no pawn stands there that could take so?
 * @param {string} text @param {Variant} variant @param {Position} position */
function isPieceInSmall(text, variant, position) {
  const [, file, to, rank] = SMALL.exec(text) ?? [];
  if (!file || Object.values(variant.roles).every(({ san }) => san !== file.toUpperCase())) return false;
  if (Math.abs(file.charCodeAt(0) - to.charCodeAt(0)) !== 1) return true;
  const piece = position.pieces.get(`${file}${Number(rank) + (position.turn === 'white' ? -1 : 1)}`);
  return piece?.color !== position.turn || !variant.roles[piece.role]?.pawn;
}

/** In ASCII as far as notation goes, without spaces, and without quotes or a full stop around it. @param {string} text */
function tidied(text) {
  const visible = text.replace(INVISIBLE, '').replace('Кр', 'K');
  const plain = [...visible].map(letter => ALIKE[letter] ?? letter).join('');
  const tidy = plain.normalize('NFKC').replace(DASHES, '-').replace(/\s/g, '').replace(QUOTES, '');
  const plainly = tidy.replace(ARROWS, '-').replace(IN_BRACKETS, '=$1');
  return plainly.replace(EMPHASIS, '$2').replace(FROM, '$1$2');
}

/** With the letter of what a pawn becomes, where the text has the English name of that piece.
 * @param {string} text @param {Variant} variant */
function withLetter(text, variant) {
  const [, move, name, behind] = BY_NAME.exec(text) ?? [];
  const role = name && Object.values(variant.roles).find(role => role.name.toLowerCase() === name.toLowerCase());
  return role ? `${move}=${role.san}${behind}` : text;
}

/** From square to square, as with a mouse. @returns {Candidate[] | null} null: the text has another form
 * @param {string} text @param {Variant} variant @param {Position} position @param {string[]} legal
 * @param {Candidate[]} candidates */
function byCoordinates(text, variant, position, legal, candidates) {
  const found = COORDINATES.exec(text);
  if (!found) return null;
  if (!found[1] && namesPiece(text, variant)) return [];
  const [letter, from, to, suffix] = found.slice(1).map(part => part.toLowerCase());
  const options = gesturesOf(variant, position, legal).get(from)?.get(to) ?? [];
  const alike = options.filter(option => option.suffix === suffix);
  const entering = alike.filter(option => option.gate === from);
  const meant = entering.length ? entering : alike;
  const ucis = (meant.length ? meant : suffix ? [] : options).map(({ uci }) => uci);
  if (letter && variant.roles[position.pieces.get(from)?.role ?? '']?.san.toLowerCase() !== letter) return [];
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
      (!gate || candidate.gate?.startsWith(gate.toLowerCase())),
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

/** Those that take something. @param {string} text @param {Position} position @param {Candidate[]} candidates */
function byStar(text, position, candidates) {
  const found = STARRED.exec(text);
  const fitting = found && bySan(`${found[1]}x${found[2]}`, candidates);
  return fitting?.filter(({ pawn, from, to }) => position.pieces.has(to) || (pawn && from?.[0] !== to[0])) ?? null;
}

/** @param {string} text @param {Candidate[]} candidates */
function bySan(text, candidates) {
  const found = SAN.exec(text) ?? GATED.exec(text);
  if (!found) return null;
  const [, letter, file, rank, to, said = '', gate] = found;
  const last = said.toUpperCase();
  const moves = candidates.filter(
    ({ pawn, letter: kind, from, to: target, gate: where, castles }) =>
      from !== null &&
      castles === null &&
      target === to &&
      (letter ? kind === letter : pawn) &&
      // As in SAN: "e5" is a step. If it has just become illegal, it must not turn into dxe5.
      (letter !== '' || !pawn || file || from[0] === to[0]) &&
      (!file || from[0] === file) &&
      (!rank || from.slice(1) === rank) &&
      (!gate || where === gate),
  );
  if (last === '+') return moves.filter(move => move.becomes !== '');
  const plain = moves.filter(move => move.gated === '');
  if (!last) {
    const still = plain.filter(move => move.becomes === '');
    return still.length ? still : plain;
  }
  const becoming = plain.filter(move => move.becomes === last);
  return becoming.length || !text.includes('/') ? becoming : moves.filter(move => move.gated === last);
}

/** Those whose SAN or UCI has the same letters and digits, for a text in no notation that minds capitals. That of a pawn
 * may have its letter in front, unless that is a file of the board.
 * @param {string} text @param {Variant} variant @param {Position} position @param {string[]} legal
 * @param {Candidate[]} candidates */
function regardlessOfCase(text, variant, position, legal, candidates) {
  const plain = (/** @type {string} */ move) => move.toLowerCase().replace(/[\s:x=+#!?()-]/g, '');
  const sought = plain(text);
  return candidates.filter(({ uci, castles, pawn, drop, letter }) => {
    const named = pawn && !drop && letter.toLowerCase().charCodeAt(0) - 97 >= variant.files;
    const bare = named && sought.startsWith(letter.toLowerCase()) ? sought.slice(1) : sought;
    return castles === null && [uci, plain(writeMove(uci, variant, position, legal))].some(move => move === bare);
  });
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

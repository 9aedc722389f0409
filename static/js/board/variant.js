/**
 * The description of a variant that the server sends (server.rules.variant.describe), and the questions about it that
 * several modules ask. Knows no variant by name and judges no move.
 *
 * @typedef {'white' | 'black'} Color
 * @typedef {[number, number]} Direction  files to the right, ranks forward; written for White
 *
 * @typedef {object} Movement
 * @property {Direction[]} steps
 * @property {number} max   longest run along a step; 0 = no limit
 * @property {'both' | 'move' | 'capture'} mode
 * @property {Direction[]} [then]   bent rider: from the square of the step, if it is empty, any distance along these
 * @property {number[]} [ranks]   only from these ranks, counted from the piece's own side, 1-based
 * @property {boolean} [unmoved]   only as the piece's first move
 *
 * @typedef {object} RoleInfo
 * @property {string} name   in English; finds the drawing
 * @property {string} [called]   the name in the page's language
 * @property {string} san   letter in SAN
 * @property {boolean} royal
 * @property {boolean} pawn   SAN omits its letter
 * @property {number} value   its rough worth in pawns; 0: unknown
 * @property {Movement[]} moves
 *
 * @typedef {object} Promotion
 * @property {number[]} ranks
 * @property {number[]} forced
 * @property {string[]} to
 * @property {'into' | 'touch'} when
 * @property {string[] | null} byFile
 *
 * @typedef {object} Castling
 * @property {string[]} kingTo
 * @property {string[]} rookTo
 * @property {string} king   the piece that castles, royal or not
 * @property {string} rook   the piece that it castles with
 *
 * @typedef {object} Variant
 * @property {string} id
 * @property {string} name
 * @property {number} files
 * @property {number} ranks
 * @property {string} startFen
 * @property {string} pocket   'none', or what the pockets are for, joined by '+'
 * @property {string[]} pocketRoles   lower-case letters in order of display
 * @property {Record<string, RoleInfo>} roles   by lower-case FEN letter, '+p' for promoted kinds
 * @property {Record<string, Promotion>} promotion
 * @property {Record<string, {ranks: number[]}> | null} drops
 * @property {Castling | null} castling
 * @property {string[]} gates   kinds that enter from the pocket behind a piece that moves
 * @property {string[]} [goals]   squares that win for either side, if there are any
 * @property {string} [goal]   which squares win, and for whom, for the board in words
 * @property {number} [checks]   so many checks win, if any number does
 */
import { t } from '../words.js';

/** @param {Color} color @returns {Color} */
export const opposite = color => (color === 'white' ? 'black' : 'white');

/**
 * A rank as that side counts it, 1-based.
 * @param {Variant} variant @param {Color} color @param {number} y 0-based rank from White's side
 */
export const relativeRank = (variant, color, y) => (color === 'white' ? y + 1 : variant.ranks - y);

/** @param {Variant} variant @param {string} role */
export const isRoyal = (variant, role) => variant.roles[role]?.royal ?? false;

/** Whether a piece can be dropped; in some variants the pocket's pieces only enter by gating. @param {Variant} variant @param {string} role */
export const canDrop = (variant, role) => !!variant.drops && role in variant.drops;

/** @param {Variant} variant @param {string} role @returns {string} the name of the piece, for people */
export const roleName = (variant, role) => variant.roles[role]?.called ?? variant.roles[role]?.name ?? role;

/** @param {Variant} variant @param {{color: Color, role: string}} piece @returns {string} "white knight" */
export const pieceWords = (variant, { color, role }) =>
  t(color === 'white' ? 'board.white_piece' : 'board.black_piece', { piece: roleName(variant, role) });

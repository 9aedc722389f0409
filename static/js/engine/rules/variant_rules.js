/**
 * What the server says of a variant to programs that play it (server.rules.variant.rule_data). Types only.
 *
 * @typedef {[number, number]} Direction   files to the right, ranks forward; written for White
 *
 * @typedef {object} Movement
 * @property {Direction[]} steps
 * @property {number} max   longest run along a step; 0 = to the edge
 * @property {'both' | 'move' | 'capture'} mode
 * @property {Direction[]} [then]   bent rider: the directions in which it may run on from an empty square
 * @property {number[]} [ranks]   only from these own ranks, 1-based
 * @property {boolean} [unmoved]   only as the piece's first move
 * @property {boolean} [enPassant]   may also take a pawn that has just passed the square
 *
 * @typedef {object} Role
 * @property {boolean} royal
 * @property {boolean} pawn
 * @property {Movement[]} moves
 *
 * @typedef {object} Promotion
 * @property {number[]} ranks
 * @property {number[]} forced
 * @property {string[]} to
 * @property {'into' | 'touch'} when
 * @property {string[] | null} byFile
 *
 * @typedef {object} Endings
 * @property {boolean} stalemateLoses
 * @property {boolean} stalemateWins
 * @property {boolean} bareKingLoses
 * @property {number} moveRule   plies without progress that draw; 0 = no such rule
 * @property {number} repetition   occurrences of a position that draw
 * @property {boolean} insufficient   is insufficient material on both sides a draw?
 * @property {{role: string, squares: [string[], string[]], reply: boolean} | null} goal   squares that win, by side; `reply`:
 *   when White arrives first, Black has one more move, and draws by arriving with it
 * @property {{kinds: string[], left: number, against: number, reply: boolean, wins: boolean} | null} extinction   a side that has
 *   `left` pieces, or fewer, of one of `kinds`, or of all if there are none, loses or wins, while the other has `against` or more;
 *   `reply`: a side to move that has just been reduced may still reduce the other, if one capture is enough
 * @property {number} checks   that win; 0 = no number of them
 *
 * @typedef {object} Rules
 * @property {boolean} captures   captured pieces go to the captor's pocket
 * @property {boolean} setup   while a side has pieces in the pocket, only drops are legal
 * @property {[string, string][]} opposite   in the shuffled form, pairs of pieces on squares of opposite colours
 * @property {string[]} pairs   roles whose two pieces are set up on squares of opposite colours
 * @property {Record<string, string>} capturedAs
 * @property {Record<string, number>} limits   how many of a role its side may have by promotion
 * @property {boolean} castlingEarned   the right is earned by setting up king and rook at home
 * @property {string} firstMove   letter of the first-move right in a FEN, or ''
 * @property {boolean} explodes   does a capture take what captures, and all but pawns around?
 * @property {boolean} mustCapture   is a side that can capture bound to?
 * @property {boolean} mayNotCheck   is every move illegal that gives check?
 * @property {[boolean, boolean]} kingless   by side: has it no royal piece?
 * @property {Record<string, number[]>} passedFrom   own ranks from which a double step may be answered en passant
 * @property {string[]} mating   roles that can mate with only their king
 * @property {boolean} takeableKing   may a FEN let the king be taken at once?
 * @property {Endings} endings
 *
 * @typedef {object} Castling
 * @property {string[]} kingTo   towards the last file, then towards the first
 * @property {string[]} rookTo
 * @property {string} kingFrom
 * @property {string} king   the piece that castles with the rook
 * @property {string} rook
 *
 * @typedef {object} VariantRules
 * @property {string} id
 * @property {number} files
 * @property {number} ranks
 * @property {string} startFen
 * @property {boolean} chess960
 * @property {string[]} pocketRoles   in FEN order
 * @property {Record<string, Role>} roles   by id: lower-case FEN letter, '+p' for promoted kinds
 * @property {Record<string, Promotion>} promotion
 * @property {Record<string, {ranks: number[]}> | null} drops
 * @property {Castling | null} castling
 * @property {string[]} gates
 * @property {Rules} rules
 */
export const FILE_LETTERS = 'abcdefghijklmnop';

/** A rank from 1 as that side counts it. @param {VariantRules} variant @param {number} square @param {number} side 0 White, 1 Black */
export function rankFor(variant, square, side) {
  const rank = Math.floor(square / variant.files);
  return side ? variant.ranks - rank : rank + 1;
}

/** The square's name, "a1". @param {VariantRules} variant @param {number} square */
export const squareName = (variant, square) =>
  FILE_LETTERS[square % variant.files] + (Math.floor(square / variant.files) + 1);

/** The square with that name, or -1. @param {VariantRules} variant @param {string} name */
export function parseSquare(variant, name) {
  const parts = /^([a-p])([1-9]\d?)$/.exec(name);
  if (!parts) return -1;
  const file = FILE_LETTERS.indexOf(parts[1]);
  const rank = Number(parts[2]) - 1;
  return file < variant.files && rank < variant.ranks ? rank * variant.files + file : -1;
}

/** Has the square the colour of a1? @param {VariantRules} variant @param {number} square */
export const isDark = (variant, square) => ((square % variant.files) + Math.floor(square / variant.files)) % 2 === 0;

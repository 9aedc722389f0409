/**
 * The sets of pieces to choose from. Two use the same drawings in different colours; the third shows only letters. The first
 * is the default. Knows no kinds and no page.
 *
 * @typedef {{from: string, to: string, edge: string, line: string}} PieceColors   two stops of the fill from left to right, the
 *   outline, and the lines on the body
 * @typedef {{outline: number, white: PieceColors, black: PieceColors}} PieceSet   outline: width, on a square of 100
 */

/** @type {Record<'carved' | 'plain', PieceSet>} */
export const PIECE_SETS = {
  carved: {
    outline: 4.2,
    white: { from: '#fffdf7', to: '#e8dfcb', edge: '#2b2722', line: '#3a342d' },
    black: { from: '#5b554e', to: '#2f2b28', edge: '#15120f', line: '#f4ead7' },
  },
  plain: {
    outline: 5,
    white: { from: '#ffffff', to: '#ffffff', edge: '#000000', line: '#000000' },
    black: { from: '#000000', to: '#000000', edge: '#000000', line: '#ffffff' },
  },
};

/** @typedef {keyof typeof PIECE_SETS} Drawn */

/** Discs with the letter of the piece, for people who read letters more easily than pictures. */
export const LETTERS = 'letters';

/**
 * The sets of pieces to choose from. Two use the same drawings in other colours; the third shows letters alone.
 * The first is what everybody sees who has not chosen. Knows no kinds and no page.
 *
 * @typedef {{from: string, to: string, edge: string, line: string}} PieceColors   two stops of the fill from left to right, the
 *   outline, and the lines upon the body
 * @typedef {{outline: number, white: PieceColors, black: PieceColors}} PieceSet   outline: width on the field of 100
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

/** Discs with the letter of the piece, for whoever reads letters better than pictures. */
export const LETTERS = 'letters';

/**
 * The sets of pieces to choose from: a style of drawing in its colours, and one that shows only letters. The first is the
 * default. Knows no kinds and no page.
 *
 * @typedef {'carved' | 'paper'} Style   see drawings.mjs
 * @typedef {{from: string, to: string, edge: string, line: string}} PieceColors   two stops of the fill from left to right, the
 *   outline, and the lines on the body
 * @typedef {{style: Style, outline: number, white: PieceColors, black: PieceColors}} PieceSet   outline: width, on a square of 100
 */

/** @type {Record<'carved' | 'paper' | 'plain', PieceSet>} */
export const PIECE_SETS = {
  carved: {
    style: 'carved',
    outline: 4.2,
    white: { from: '#ffffff', to: '#f8f5ee', edge: '#221e1b', line: '#2e2925' },
    black: { from: '#37312d', to: '#221e1c', edge: '#100e0c', line: '#f7eedd' },
  },
  paper: {
    style: 'paper',
    outline: 3.2,
    white: { from: '#ffffff', to: '#ffffff', edge: '#1d2733', line: '#1d2733' },
    black: { from: '#222d39', to: '#222d39', edge: '#0b1118', line: '#e9f0f6' },
  },
  plain: {
    style: 'carved',
    outline: 5,
    white: { from: '#ffffff', to: '#ffffff', edge: '#000000', line: '#000000' },
    black: { from: '#000000', to: '#000000', edge: '#000000', line: '#ffffff' },
  },
};

/** @typedef {keyof typeof PIECE_SETS} Drawn */

/** Discs with the letter of the piece, for people who read letters more easily than pictures. */
export const LETTERS = 'letters';

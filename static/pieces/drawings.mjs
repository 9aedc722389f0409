/**
 * What every kind of piece looks like, in each style, drawn for this project. A kind is the name of a role, so that a
 * chancellor looks the same in every variant, whatever its letter. Knows no colours and no letters: those are added in
 * css.mjs and board_style.mjs.
 */
import { CARVED } from './carved.mjs';
import { PAPER } from './paper.mjs';

/** SVG by style and kind. @type {Record<import('./piece_sets.mjs').Style, Record<string, string>>} */
export const DRAWINGS = { carved: CARVED, paper: PAPER };

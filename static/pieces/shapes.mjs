/**
 * The parts that drawings of pieces are made of: SVG on a field of 100 x 100, with classes for what a set of pieces decides
 * (its colours and the width of its lines, see svg.mjs). Knows no piece.
 */

/** A filled shape with an outline. @param {string} d */
export const body = d => `<path d='${d}'/>`;
/** A filled shape upon a body, outlined by the lines' colour so that it shows on black as well. @param {string} d */
export const part = d => `<path class='p' d='${d}'/>`;
/** Thin lines upon a body. @param {string} d */
export const line = d => `<path class='l' d='${d}'/>`;
/** A solid mark in the colour of the lines. @param {string} d */
export const mark = d => `<path class='m' d='${d}'/>`;
/** @param {number} x @param {number} y @param {number} r */
export const ball = (x, y, r) => `<circle cx='${x}' cy='${y}' r='${r}'/>`;
/** @param {number} x @param {number} y @param {number} r */
export const dot = (x, y, r) => `<circle class='m' cx='${x}' cy='${y}' r='${r}'/>`;
/** A circle upon a body, outlined as a part is. @param {number} x @param {number} y @param {number} r */
export const ring = (x, y, r) => `<circle class='p' cx='${x}' cy='${y}' r='${r}'/>`;
/** @param {string} place an SVG transform @param {string} shapes */
export const at = (place, shapes) => `<g transform='${place}'>${shapes}</g>`;
/** Another tint of the body: the side away from the light. @param {string} d */
export const shade = d => `<path class='s' d='${d}'/>`;

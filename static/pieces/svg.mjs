/**
 * Turns the shapes of a piece into a picture in one of the two colours, as an SVG document or as a value for CSS. Used by
 * the build for each known kind, and by pages for kinds without a drawing.
 */
import { PIECE_SETS } from './piece_sets.mjs';

/**
 * One piece as an SVG document.
 * @param {string} shapes from DRAWINGS
 * @param {'white' | 'black'} color
 * @param {import('./piece_sets.mjs').Drawn} set
 */
export function pieceSvg(shapes, color, set = 'carved') {
  const { outline } = PIECE_SETS[set];
  const { from, to, edge, line } = PIECE_SETS[set][color];
  return (
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='-5 -6 110 110' fill='url(#a)' stroke='${edge}' stroke-width='${outline}' stroke-linejoin='round'>` +
    `<linearGradient id='a' gradientUnits='userSpaceOnUse' x1='20' x2='82'><stop stop-color='${from}'/><stop offset='1' stop-color='${to}'/></linearGradient>` +
    `<style>.l{fill:none;stroke:${line};stroke-width:3.6;stroke-linecap:round}.p{stroke:${line};stroke-width:3.2}.m{fill:${line};stroke:none}.s{fill:${line};fill-opacity:.14;stroke:none}</style>` +
    `${shapes}</svg>`
  );
}

/** An SVG document as a value for CSS: a quoted data: address. @param {string} svg */
export function dataUrl(svg) {
  return `url("data:image/svg+xml,${svg.replace(/[#<>%]/g, encodeURIComponent)}")`;
}

/**
 * A tree of moves as the fragment of an address, which no server sees: "m=e2e4.e7e5.1.c7c5&p=2". Anybody can write such
 * an address, so everything in it is checked, and refused if it is malformed.
 *
 *   f  the start position, with _ for spaces, if it is not the variant's own
 *   x  1 for the shuffled form
 *   m  the moves in UCI and the numbers of half-moves to take back, joined by dots; it never ends in a character that
 *      chat programs take for the end of a sentence
 *   p  which move is shown, counted from 1; 0 is the start
 *   r  1 if the report of the game is wanted, 2 that of the strong engine; it is read elsewhere (report_link.js)
 *
 * @import { Steps } from './tree.js'
 * @typedef {{fen: string | null, chess960: boolean, steps: Steps, shown: number | null}} SharedLine   shown: null is the last move
 */

/** As many as the server judges at once (server: web/analysis). */
export const MOST_STEPS = 600;
const LONGEST = 8000;
const LONGEST_FEN = 200;
const STEP = /^(?:[a-p]\d{1,2}[a-p]\d{1,2}[a-z+]?|[A-Z]@[a-p]\d{1,2}|\d{1,3})$/;

/** @param {SharedLine} line @returns {string} without the # */
export function writeFragment({ fen, chess960, steps, shown }) {
  const parts = [];
  if (fen) parts.push(`f=${encodeURIComponent(fen.replaceAll(' ', '_')).replaceAll('%2F', '/')}`);
  if (chess960) parts.push('x=1');
  if (steps.length) parts.push(`m=${steps.join('.')}`);
  if (shown !== null) parts.push(`p=${shown}`);
  return parts.join('&');
}

/** @param {string} text without the # @returns {SharedLine | null} null: malformed */
export function readFragment(text) {
  if (text.length > LONGEST) return null;
  const parts = text ? text.split('&') : [];
  const fields = new Map(parts.map(part => [part.slice(0, 1), part.slice(1)]));
  const known = [...fields].every(([name, rest]) => name && 'fxmpr'.includes(name) && rest.startsWith('='));
  if (!known || fields.size !== parts.length) return null;
  const value = (/** @type {string} */ name) => fields.get(name)?.slice(1) ?? null;
  const fen = value('f') === null ? null : readFen(/** @type {string} */ (value('f')));
  const steps = readSteps(value('m') ?? '');
  const shown = value('p');
  const chess960 = value('x');
  if (fen === '' || steps === null) return null;
  if (![null, '1'].includes(chess960) || ![null, '1', '2'].includes(value('r'))) return null;
  if (shown !== null && (!/^\d{1,3}$/.test(shown) || Number(shown) > steps.filter(isMove).length)) return null;
  return { fen, chess960: chess960 === '1', steps, shown: shown === null ? null : Number(shown) };
}

/** @param {string | number} step */
const isMove = step => typeof step === 'string';

/** @param {string} text @returns {string} '' if it cannot be one; the server judges the rest */
function readFen(text) {
  try {
    const fen = decodeURIComponent(text).replaceAll('_', ' ');
    return fen.length <= LONGEST_FEN && /^[ -~]+$/.test(fen) ? fen : '';
  } catch {
    return '';
  }
}

/** @param {string} text @returns {Steps | null} null: a step is malformed, or takes back more than was played */
function readSteps(text) {
  if (!text) return [];
  const steps = text.split('.').map(step => (/^\d+$/.test(step) ? Number(step) : step));
  if (steps.length > MOST_STEPS || !text.split('.').every(step => STEP.test(step)) || !isMove(steps[steps.length - 1]))
    return null;
  let depth = 0;
  for (const step of steps) {
    if (isMove(step)) depth++;
    else depth -= step === 0 ? Infinity : Number(step);
    if (depth < 0) return null;
  }
  return steps;
}

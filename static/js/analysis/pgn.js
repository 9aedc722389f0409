/**
 * A tree of moves as PGN, with its variations in brackets, as in the PGN standard of 1994. The variant's name in the
 * Variant tag comes from the server.
 *
 * @import { Outline } from '../game/tree.js'
 */
import { halfMovesBefore, moveNumber } from '../board/position.js';

const WIDTH = 80;
const BRACE = /[{}]/;

// biome-ignore format: a table of pairs
/** The usual glyphs by their NAG. @type {Record<number, string>} */
const GLYPHS = {
  1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 10: '=', 13: '∞', 14: '+=', 15: '=+', 16: '±', 17: '∓', 18: '+−', 19: '−+',
  22: '⨀', 23: '⨀', 26: '○', 27: '○', 32: '⟳', 33: '⟳', 36: '↑', 37: '↑', 40: '→', 41: '→', 44: '=∞', 45: '=∞', 132: '⇆', 133: '⇆',
  138: '⊕', 139: '⊕', 140: '∆', 141: '∇', 142: '⌓', 146: 'N', 239: '⇔', 240: '⇗', 241: '⊞', 242: '⟫', 243: '⟪', 244: '✕', 245: '⊥',
};

/** @param {number} nag @returns {string} as people write it */
export const glyph = nag => GLYPHS[nag] ?? `$${nag}`;

/**
 * @param {Record<string, string>} tags in order, with Result among them
 * @param {string} startFen @param {Outline} outline @param {string[]} comments before the first move
 * @returns {string} ending in a line break
 */
export function writePgn(tags, startFen, outline, comments = []) {
  const head = Object.entries(tags)
    .map(([name, value]) => `[${name} "${escaped(value)}"]\n`)
    .join('');
  const words = [
    ...comments.flatMap(remark),
    ...numbered(outline, halfMovesBefore(startFen), true),
    tags.Result ?? '*',
  ];
  return `${head}\n${wrapped(words)}\n`;
}

/** @param {Outline} line @param {number} offset @param {boolean} fresh it begins a game or a variation @returns {Generator<string>} */
function* numbered(line, offset, fresh) {
  let always = fresh;
  for (const { node, ply, variations } of line) {
    const { nags = [], clock, comments = [], before = [] } = node.notes ?? {};
    yield* before.flatMap(remark);
    const number = moveNumber(ply - 1 + offset, always);
    if (number) yield number;
    yield node.san;
    yield* nags.map(nag => `$${nag}`);
    yield* remarks(clock, comments).flatMap(remark);
    for (const variation of variations) {
      const words = [...numbered(variation, offset, true)];
      words[0] = `(${words[0]}`;
      words.push(`${words.pop()})`);
      yield* words;
    }
    always = clock !== undefined || comments.length > 0 || variations.length > 0;
  }
}

/** The comments on a move, with the clock at the start of the first one. @param {number | undefined} clock @param {string[]} comments */
function remarks(clock, comments) {
  if (clock === undefined) return comments;
  const said = `[%clk ${clockText(clock)}]`;
  const [first = '', ...others] = comments;
  return BRACE.test(first) ? [said, ...comments] : [`${said} ${first}`.trim(), ...others];
}

/** h:mm:ss, with decimals if needed. @param {number} ms */
function clockText(ms) {
  const [seconds, rest] = [Math.floor(ms / 1000), ms % 1000];
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const decimals = rest ? `.${String(rest).padStart(3, '0').replace(/0+$/, '')}` : '';
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${decimals}`;
}

/**
 * The parts of a comment between which a line may break: before a letter or a digit, outside square brackets. A comment in
 * braces cannot contain one that closes, and one that opens looks as if its end was missing; a comment after a semicolon
 * can have both, but extends to the end of its line.
 * @param {string} text @returns {string[]}
 */
function remark(text) {
  if (BRACE.test(text)) return [`;${text}\n`];
  /** @type {string[]} */
  const parts = [];
  let open = 0;
  for (const word of text.split(' ')) {
    if (parts.length && open <= 0 && /^[\p{L}\p{N}]/u.test(word)) parts.push(word);
    else parts.push([parts.pop(), word].filter(Boolean).join(' '));
    open += word.split('[').length - word.split(']').length;
  }
  parts[0] = `{ ${parts[0]}`;
  parts.push(`${parts.pop()} }`);
  return parts;
}

/** @param {string[]} words a word that ends in a line break ends its line */
function wrapped(words) {
  const lines = [''];
  for (const word of words) {
    const last = lines[lines.length - 1];
    if (last && (last.endsWith('\n') || last.length + word.length + 1 > WIDTH)) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.map(line => line.replace(/\n$/, '')).join('\n');
}

/** @param {string} value */
// biome-ignore lint/suspicious/noControlCharactersInRegex: no tag may contain one
const escaped = value => value.replace(/[\u0000-\u001f\u007f]/g, ' ').replace(/["\\]/g, '\\$&');

/**
 * A tree of moves as PGN, with its variations in brackets. The form of the text is that of the PGN standard of 1994;
 * which names the Variant tag takes is the variant's own affair, and comes from the server.
 *
 * @typedef {import('./tree.js').Outline} Outline
 */
const WIDTH = 80;

/**
 * @param {Record<string, string>} tags in their order; Result is one of them
 * @param {string} startFen @param {Outline} outline
 * @returns {string} ending in a line break
 */
export function writePgn(tags, startFen, outline) {
  const head = Object.entries(tags).map(([name, value]) => `[${name} "${escaped(value)}"]\n`).join('');
  const words = [...numbered(outline, halfMovesBefore(startFen), true), tags.Result ?? '*'];
  return `${head}\n${wrapped(words)}\n`;
}

/** How many half-moves a FEN counts before its own first one. @param {string} fen @returns {number} */
export function halfMovesBefore(fen) {
  const fields = fen.split(' ');
  return 2 * (Math.max(1, Number(fields[5]) || 1) - 1) + (fields[1] === 'b' ? 1 : 0);
}

/** @param {number} half the number of a half-move, from 0 @param {boolean} always also for Black @returns {string} "12." */
export const moveNumber = (half, always) =>
  half % 2 === 0 ? `${half / 2 + 1}.` : always ? `${(half + 1) / 2}...` : '';

/** @param {Outline} line @param {number} offset @param {boolean} fresh no move stands before it @returns {Generator<string>} */
function* numbered(line, offset, fresh) {
  let always = fresh;
  for (const { node, ply, variations } of line) {
    const number = moveNumber(ply - 1 + offset, always);
    if (number) yield number;
    yield node.san;
    for (const variation of variations) {
      const words = [...numbered(variation, offset, true)];
      yield* [`(${words[0]}`, ...words.slice(1, -1), `${words[words.length - 1]})`];
    }
    always = variations.length > 0;
  }
}

/** @param {string[]} words */
function wrapped(words) {
  const lines = [''];
  for (const word of words) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length + 1 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join('\n');
}

/** @param {string} value */
const escaped = value => value.replace(/[\u0000-\u001f\u007f]/g, ' ').replace(/["\\]/g, '\\$&');

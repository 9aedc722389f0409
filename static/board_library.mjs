/**
 * Adapts the board library (chessgroundx) to our pages while it is bundled; nothing in node_modules is changed.
 *
 * Three reasons. Our Content-Security-Policy allows neither innerHTML nor style attributes, and the library uses both
 * in a few places. And it carries premove and predrop tables by variant name for the variants of another site; ours
 * come from the server's movement data (board/premove.js), so those tables would be 17 KB that nobody reads, as are the
 * coordinates of shogi, xiangqi and the like. And it marks both squares of the last move alike.
 * If a text is no longer found, the build stops: the library has changed, and this file must be reviewed.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** file of the library -> [text, replacement] */
const REPLACED = {
  'wrap.js': [["element.innerHTML = '';", 'element.replaceChildren();']],
  'pocket.js': [
    ["pocketTop.innerHTML = '';", 'pocketTop.replaceChildren();'],
    ["pocketBottom.innerHTML = '';", 'pocketBottom.replaceChildren();'],
    [
      "pocketEl.setAttribute('style', `--pocketLength: ${pl}; --files: ${files}; --ranks: ${ranks}`);",
      "for (const [k, v] of [['pocketLength', pl], ['files', files], ['ranks', ranks]]) " +
        'pocketEl.style.setProperty(`--${k}`, v);',
    ],
  ],
  'render.js': [
    // What a move left and what it reached look different; a drop has a square only in the second place.
    [
      "addSquare(squares, k, 'last-move')",
      "addSquare(squares, k, k === s.lastMove.at(-1) ? 'last-move to' : 'last-move from')",
    ],
  ],
};

/** file of the library -> [where a part begins, what comes behind it, what stands for it]: of games that nobody plays here */
const CUT = {
  'wrap.js': [['    [Notation.SHOGI_ENGLET]: [', '};\nexport function renderWrap(', '']],
  'svg.js': [
    ['function checkCounterShapes(', '// append only.', 'const checkCounterShapes = () => [];\n'],
    ['function customSvgHash(', 'function renderShape(', 'const customSvgHash = () => "";\n'],
    ['function renderCustomSvg(', 'function renderCircle(', 'const renderCustomSvg = () => createElement("g");\n'],
  ],
};

/** file of the library -> its replacement */
const EMPTIED = {
  'premove.js':
    'export const queen = () => true, knight = () => true, janggiElephant = () => true, premove = () => () => [];',
  'predrop.js': 'export const predrop = () => () => [];',
};

/** @type {import('esbuild').Plugin} */
export const boardLibrary = {
  name: 'board-library',
  setup(build) {
    build.onLoad({ filter: /[\\/]chessgroundx[\\/][a-z]+\.js$/ }, async ({ path }) => {
      const file = basename(path);
      if (file in EMPTIED) return { contents: EMPTIED[file], loader: 'js' };
      let contents = await readFile(path, 'utf8');
      const found = (/** @type {string} */ text) => {
        if (!contents.includes(text)) throw new Error(`chessgroundx/${file} no longer contains: ${text}`);
        return contents.indexOf(text);
      };
      for (const [begin, behind, instead] of CUT[file] ?? [])
        contents = contents.slice(0, found(begin)) + instead + contents.slice(found(behind));
      for (const [text, replacement] of REPLACED[file] ?? []) {
        found(text);
        contents = contents.replace(text, () => replacement);
      }
      return { contents, loader: 'js' };
    });
  },
};

/**
 * The rules of one variant: everything is there without scripts; this adds the board to try the game on, when the
 * reader comes near it.
 *
 * @typedef {{white: string, black: string, over: string, failed: string, board: string}} Words
 */
import { TryBoard } from '../rules/try_board.js';

/** @param {string} id */
const $ = id => /** @type {HTMLElement} */ (document.getElementById(id));
/** @type {{variant: import('../home/first_move.js').Start, words: Words}} */
const { variant, words } = JSON.parse($('page').textContent ?? '');
const NEAR = '600px';

function begin() {
  let standing = words.white;
  /** @param {string} text */
  const say = text => ($('try-says').textContent = text);
  const board = new TryBoard(
    variant,
    line => {
      standing = describe(line, standing);
      say(standing);
    },
    hint => ($('try-piece').textContent = hint),
    words.board,
  );
  $('try-board').append(board.element);
  $('try-back').addEventListener('click', () => board.back());
  $('try-again').addEventListener('click', () => board.restart());
  say(standing);
}

/** What stands under the board. @param {import('../rules/try_board.js').Line | null} line @param {string} before */
function describe(line, before) {
  if (!line) return before.startsWith(words.failed) ? before : `${words.failed} ${before}`;
  if (line.outcome) return words.over.replace('{result}', line.outcome.result);
  return (line.plies.at(-1)?.fen ?? line.fen).split(' ')[1] === 'w' ? words.white : words.black;
}

new IntersectionObserver(
  ([seen], observer) => {
    if (!seen.isIntersecting) return;
    observer.disconnect();
    begin();
  },
  { rootMargin: NEAR },
).observe($('try'));

/**
 * The rules of one variant, which need no script; this adds the board to try the game on, when the reader scrolls near it.
 *
 * @typedef {{white: string, black: string, over: string, failed: string, board: string}} Words
 */
import { turnOf } from '../game/model.js';
import { TryBoard } from '../rules/try_board.js';
import { byId, pageFacts } from '../ui/dom.js';

/** @type {{variant: import('../home/first_move.js').VariantAtStart, words: Words}} */
const { variant, words } = pageFacts();
const NEAR = '600px';

function begin() {
  let standing = words.white;
  /** @param {string} text */
  const say = text => (byId('try-says').textContent = text);
  const board = new TryBoard(
    variant,
    line => {
      standing = describe(line, standing);
      say(standing);
    },
    hint => (byId('try-piece').textContent = hint),
    words.board,
  );
  byId('try-board').append(board.element);
  byId('try-back').addEventListener('click', () => board.back());
  byId('try-again').addEventListener('click', () => board.restart());
  say(standing);
}

/** The words under the board. @param {import('../rules/try_board.js').Line | null} line @param {string} before */
function describe(line, before) {
  if (!line) return before.startsWith(words.failed) ? before : `${words.failed} ${before}`;
  if (line.outcome) return words.over.replace('{result}', line.outcome.result);
  return words[turnOf(line.plies.at(-1)?.fen ?? line.fen)];
}

new IntersectionObserver(
  ([seen], observer) => {
    if (!seen.isIntersecting) return;
    observer.disconnect();
    begin();
  },
  { rootMargin: NEAR },
).observe(byId('try'));

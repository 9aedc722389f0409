/**
 * The rules of one variant, which need no script; this brings its board to life: the introduction step by step, the tasks,
 * and a game against oneself.
 *
 * @import { TriedLine } from '../rules/free_play.js'
 * @import { LessonFacts, LessonWords } from '../rules/lesson_panel.js'
 * @typedef {LessonWords & Record<'white' | 'black' | 'over' | 'failed' | 'board', string>} Words
 */
import { turnOf } from '../game/model.js';
import { followReading, openNamed } from '../rules/contents.js';
import { FreePlay } from '../rules/free_play.js';
import { LessonPanel } from '../rules/lesson_panel.js';
import { LiveBoard } from '../rules/live_board.js';
import { byId, pageFacts } from '../ui/dom.js';

/** @type {{variant: import('../rules/free_play.js').VariantAtStart, lesson: LessonFacts | null, words: Words}} */
const { variant, lesson, words } = pageFacts();

/** @param {string} text */
const say = text => (byId('try-says').textContent = text);
const board = new LiveBoard(variant, said => (byId('try-piece').textContent = said), words.board);
byId('try-board').replaceChildren(board.element);

let standing = '';
const free = new FreePlay(board, variant, line => {
  standing = describe(line, standing);
  say(standing);
});
byId('try-back').addEventListener('click', () => free.back());
byId('try-again').addEventListener('click', () => free.restart());

/** The words under the board. @param {TriedLine | null} line @param {string} before */
function describe(line, before) {
  if (!line) return before.startsWith(words.failed) ? before : `${words.failed} ${before}`;
  if (line.outcome) return words.over.replace('{result}', line.outcome.result);
  return words[turnOf(line.plies.at(-1)?.fen ?? line.fen)];
}

if (lesson) new LessonPanel({ board, lesson, words, say, playFreely: () => free.begin() }).begin();
else free.begin();

followReading(byId('toc'));
addEventListener('hashchange', openNamed);
if (location.hash && !location.hash.startsWith('#task-')) openNamed();

/**
 * The rules of one variant, which need no script; this brings its board to life: the introduction step by step, the tasks,
 * and a game against oneself.
 *
 * @import { TriedLine } from '../rules/free_play.js'
 * @import { LessonFacts, LessonWords } from '../rules/lesson_panel.js'
 * @typedef {LessonWords & Record<'white' | 'black' | 'over' | 'failed' | 'board', string>} Words
 */
import { turnOf } from '../game/model.js';
import { FreePlay } from '../rules/free_play.js';
import { LessonPanel } from '../rules/lesson_panel.js';
import { LiveBoard } from '../rules/live_board.js';
import { byId, pageFacts, revealIn } from '../ui/dom.js';

// Marks in the list of contents the section that is being read, and opens a folded section that an address leads to.

/** How far down the screen (px) the section that is read begins at most. */
const LINE = 110;

/** @param {HTMLElement} list */
function followReading(list) {
  const links = new Map(
    [...list.querySelectorAll('a')].map(link => [document.getElementById(link.hash.slice(1)), link]),
  );
  const places = /** @type {HTMLElement[]} */ ([...links.keys()].filter(Boolean));
  /** @type {HTMLElement | undefined} */
  let marked;
  const mark = () => {
    const read = places.filter(place => place.getBoundingClientRect().top < LINE).at(-1) ?? places[0];
    for (const [place, link] of links) {
      if (place === read) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    const link = links.get(read);
    // On a narrow screen the list is a row wider than the window.
    if (link && read !== marked) revealIn(list, link);
    marked = read;
  };
  let waiting = false;
  const markSoon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  };
  addEventListener('scroll', markSoon, { passive: true });
  mark();
}

/** Opens whatever hides the place that the address names. */
function openNamed() {
  let place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const named = place;
  for (; place; place = place.parentElement) if (place instanceof HTMLDetailsElement) place.open = true;
  named?.scrollIntoView();
}

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

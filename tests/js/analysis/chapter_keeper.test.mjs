/** A chapter of a study in step with the server: what is stored, when, and what if that fails or somebody was first. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import '../english.mjs';

class Element {
  dataset = {};
  textContent = '';
  /** @type {Element[]} */
  buttons = [];
  /** @type {() => void} */
  press = () => assert.fail('nothing listens');

  addEventListener(_kind, listener) {
    this.press = listener;
  }

  append(...content) {
    this.textContent += content.join('');
  }

  replaceChildren(words, ...buttons) {
    this.buttons = buttons;
    this.textContent = words + buttons.map(button => button.textContent).join('');
  }
}

let kept = new Element();
/** Who else has the study open. */
const present = new Element();
const listeners = {};
const page = {
  HTMLElement: Element,
  HTMLButtonElement: Element,
  location: { assign: mock.fn(), reload: mock.fn() },
  addEventListener: (kind, listener) => Object.assign(listeners, { [kind]: listener }),
};
Object.assign(globalThis, page);
Object.assign(globalThis.document, {
  getElementById: id => (id === 'kept-with' ? present : kept),
  createElement: () => new Element(),
  hidden: false,
});
const { ChapterKeeper } = await import('../../../static/js/analysis/chapter_keeper.js');
const { newStudy } = await import('../../../static/js/analysis/study.js');
const { stepsOf, treeFromSteps } = await import('../../../static/js/game/tree.js');

const played = uci => ({ uci, san: uci, fen: `after ${uci}`, check: false });
const stepsIn = text =>
  text
    .split(' ')
    .filter(Boolean)
    .map(step => (/^\d$/.test(step) ? Number(step) : step));
const movesIn = text =>
  stepsIn(text)
    .filter(step => typeof step === 'string')
    .map(played);
/** The study of these steps, which are its PGN here. @param {string} text @returns {any} */
const study = text => {
  const begun = newStudy('start', false);
  return { ...begun, tree: treeFromSteps(begun.tree, stepsIn(text), movesIn(text)).tree };
};
/** @param {any} one */
const pgn = one => stepsOf(one.tree).join(' ');
/** What the board shows, as PGN. */
let board = '';
/** What the server was sent, and how it answers each time: null while there is no connection. */
let sent = [];
let answers = [];

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  kept = new Element();
  page.location.reload.mock.resetCalls();
  [board, sent, answers] = ['', [], []];
  mock.method(globalThis, 'fetch', async (path, { body }) => {
    sent.push([path, body && JSON.parse(body)]);
    const answer = await answers.shift();
    if (!answer) throw new TypeError('offline');
    return Response.json(answer.content, { status: answer.status ?? 200 });
  });
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** The keeper of a chapter that the server has as "e4", of the reader's own unless said otherwise. */
function keeper(mine = true) {
  const made = new ChapterKeeper(
    /** @type {any} */ ({ id: 's1', mine, chapter: { id: 'c1', name: 'One', rev: 3 } }),
    pgn,
    { shown() {}, ready: async () => {}, adopt: change => (board = pgn(change(study(board)))) },
  );
  board = 'e4';
  made.named(study(board));
  made.follow(() => study(board));
  return made;
}

/** Somebody makes a move on the board. @param {InstanceType<typeof ChapterKeeper>} made @param {string} text */
function plays(made, text) {
  board = text;
  made.follow(() => study(board));
}

const PATH = '/api/studies/s1/chapters';
const stored = rev => ({ content: { id: 'c1', name: 'One', rev } });
/** The chapter as somebody else has stored it. @param {number} rev @param {string} text @param {string} [fen] where it begins */
const theirs = (rev, text, fen = 'start') => {
  const game = {
    fen,
    check: false,
    steps: stepsIn(text),
    plies: movesIn(text),
    chess960: false,
    white: '?',
    black: '?',
  };
  return {
    content: { chapter: { id: 'c1', name: 'One', rev }, game: { ...game, tags: {}, result: '*', comments: [] } },
  };
};
const taken = { status: 409, content: { message: 'Changed elsewhere.', refusal: 'chapter_changed' } };
/** All that was begun has come to an end. */
const settled = () => new Promise(resolve => setImmediate(resolve));

test('what is on the board is stored once, a second after the last change', async () => {
  const made = keeper();
  answers = [stored(4)];
  plays(made, 'e4 e5');
  mock.timers.tick(999);
  plays(made, 'e4 e5 Nf3');
  assert.equal(kept.dataset.state, 'waiting');
  mock.timers.tick(999);
  await settled();
  assert.deepEqual(sent, []);
  mock.timers.tick(1);
  await settled();
  assert.deepEqual(sent, [[`${PATH}/c1`, { rev: 3, pgn: 'e4 e5 Nf3' }]]);
  assert.equal(kept.dataset.state, 'saved');
});

test('the next change is stored on top of the one before', async () => {
  const made = keeper();
  answers = [stored(4), stored(5)];
  for (const pgn of ['e4 e5', 'e4 e5 Nf3']) {
    plays(made, pgn);
    assert.equal(await made.save(), true);
  }
  assert.deepEqual(
    sent.map(([, { rev }]) => rev),
    [3, 4],
  );
});

test('a change made while the one before is stored is not taken for stored', async () => {
  const made = keeper();
  let arrive = assert.fail;
  answers = [new Promise(resolve => (arrive = resolve)), stored(5)];
  plays(made, 'e4 e5');
  const first = made.save();
  await settled();
  plays(made, 'e4 c5');
  arrive(stored(4));
  assert.equal(await first, false);
  assert.equal(kept.dataset.state, 'waiting');
  mock.timers.tick(1_000);
  await settled();
  assert.deepEqual(sent.at(-1), [`${PATH}/c1`, { rev: 4, pgn: 'e4 c5' }]);
  assert.equal(made.isUnsaved, false);
});

test('without a connection it is tried again, and the person may not leave unasked', async () => {
  const made = keeper();
  answers = [null, stored(4)];
  plays(made, 'e4 e5');
  assert.equal(await made.save(), false);
  assert.equal(kept.dataset.state, 'failed');
  const leave = { preventDefault: mock.fn() };
  listeners.beforeunload(leave);
  assert.equal(leave.preventDefault.mock.callCount(), 1);
  mock.timers.tick(5_000);
  await settled();
  assert.equal(kept.dataset.state, 'saved');
  listeners.beforeunload(leave);
  assert.equal(leave.preventDefault.mock.callCount(), 1);
});

test('what somebody else has stored first is brought in, and both are stored', async () => {
  const made = keeper();
  answers = [taken, theirs(7, 'e4 c5'), stored(8)];
  plays(made, 'e4 e5');
  assert.equal(await made.save(), true);
  assert.equal(board, 'e4 e5 1 c5');
  assert.deepEqual(sent.at(-1), [`${PATH}/c1`, { rev: 7, pgn: 'e4 e5 1 c5' }]);
  assert.equal(kept.dataset.state, 'saved');
});

test('what others store comes onto the board, with who is there and who it was', async () => {
  const made = keeper();
  made.meet(['Ben', 'Carla']);
  assert.equal(kept.textContent, 'Saved');
  assert.equal(present.textContent, 'with Ben, Carla');
  answers = [theirs(4, 'e4 c5')];
  made.heard(4, 'Ben');
  await settled();
  assert.equal(board, 'e4 c5');
  assert.equal(kept.textContent, 'Saved · Ben changed it');
  assert.equal(present.textContent, 'with Ben, Carla');
  // One's own change comes back from the server, too.
  made.heard(4, 'Anna');
  await settled();
  assert.equal(sent.length, 1);
  // Others wait for what is changed here, so it is stored sooner.
  answers = [stored(5)];
  plays(made, 'e4 c5 Nf3');
  mock.timers.tick(300);
  await settled();
  assert.deepEqual(sent.at(-1), [`${PATH}/c1`, { rev: 4, pgn: 'e4 c5 Nf3' }]);
});

test('what a reader has tried stays beside what others store, and is not stored', async () => {
  const made = keeper(false);
  plays(made, 'e4 e5');
  answers = [theirs(4, 'e4 c5')];
  made.heard(4, 'Ben');
  await settled();
  assert.equal(board, 'e4 e5 1 c5');
  mock.timers.tick(60_000);
  await settled();
  assert.equal(sent.length, 1);
  assert.equal(kept.dataset.state, 'reading');
});

test('who has changed nothing gets what others have begun elsewhere', async () => {
  const made = keeper();
  answers = [theirs(4, 'd4', 'elsewhere')];
  made.heard(4, 'Ben');
  await settled();
  assert.equal(board, 'd4');
  assert.equal(made.isUnsaved, false);
});

test('what cannot be loaded now is brought in later', async () => {
  const made = keeper();
  answers = [taken, null, taken, theirs(7, 'e4 c5'), stored(8)];
  plays(made, 'e4 e5');
  assert.equal(await made.save(), false);
  assert.equal(kept.buttons.length, 0);
  mock.timers.tick(5_000);
  await settled();
  await settled();
  assert.equal(board, 'e4 e5 1 c5');
});

test('whom the study is closed to stores nothing any more', async () => {
  const made = keeper();
  made.end('Closed.');
  plays(made, 'e4 e5');
  mock.timers.tick(60_000);
  await settled();
  assert.deepEqual(sent, []);
  assert.match(kept.textContent, /^Closed\./);
  kept.buttons[0].press();
  assert.equal(made.isUnsaved, false, 'or the browser would ask whether to leave');
});

test('what does not go together with what somebody else has stored first is not written over', async () => {
  const made = keeper();
  answers = [taken, theirs(7, 'e4 c5', 'elsewhere')];
  plays(made, 'e4 e5');
  assert.equal(await made.save(), false);
  assert.match(kept.textContent, /Changed elsewhere\./);
  plays(made, 'e4 e5 Nf3');
  mock.timers.tick(60_000);
  await settled();
  assert.equal(sent.length, 2);
  kept.buttons[0].press();
  assert.equal(page.location.reload.mock.callCount(), 1);
  assert.equal(made.isUnsaved, false, 'or the browser would ask whether to leave');
});

test('a version of one’s own can be kept beside it', async () => {
  const made = keeper();
  answers = [taken, theirs(7, 'e4 c5', 'elsewhere'), { content: { id: 's1', chapters: [{ id: 'c1' }, { id: 'c2' }] } }];
  plays(made, 'e4 e5');
  await made.save();
  kept.buttons[1].press();
  await settled();
  const [path, { name, pgn }] = sent.at(-1);
  assert.deepEqual([path, pgn], [PATH, 'e4 e5']);
  assert.match(name, /One/);
  assert.deepEqual(page.location.assign.mock.calls.at(-1)?.arguments, ['/study/s1/c2']);
});

test('what a reader tries is not stored, and they may leave', async () => {
  const made = keeper(false);
  plays(made, 'e4 e5');
  mock.timers.tick(60_000);
  await settled();
  assert.deepEqual([sent, kept.dataset.state], [[], 'reading']);
  assert.equal(await made.save(), true);
  listeners.beforeunload({ preventDefault: () => assert.fail('they were asked') });
});

test('a page that is put aside stores at once', async () => {
  const made = keeper();
  answers = [stored(4)];
  plays(made, 'e4 e5');
  Object.assign(globalThis.document, { hidden: true });
  listeners.visibilitychange();
  Object.assign(globalThis.document, { hidden: false });
  await settled();
  assert.equal(sent.length, 1);
});

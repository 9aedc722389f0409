/** Preferences on an open page: they hold at once, reach other tabs, and are sent. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

const dataset = {};
const stored = new Map();
const listeners = {};
/** What the server was sent, and how it answers. @type {Record<string, string>[]} */
let sent = [];
let answer = { ok: true, status: 204 };
globalThis.document = /** @type {any} */ ({
  documentElement: { dataset },
  getElementById: () => null,
  dispatchEvent: () => true,
  addEventListener() {},
});
globalThis.localStorage = /** @type {any} */ ({
  getItem: key => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, value),
});
globalThis.addEventListener = (kind, listener) => (listeners[kind] = listener);
globalThis.fetch = /** @type {any} */ (
  async (_, { body }) => {
    sent.push(Object.fromEntries(body));
    if (!answer) throw new TypeError('offline');
    return answer;
  }
);
const { choose, followOtherTabs } = await import('../../../static/js/ui/preferences.js');
followOtherTabs();

beforeEach(async () => {
  answer = { ok: false, status: 400 }; // what is left of earlier tests is refused, and so forgotten
  await choose('theme', 'system');
  sent = [];
  answer = { ok: true, status: 204 };
  stored.clear();
  for (const name of Object.keys(dataset)) delete dataset[name];
});

test('a choice holds at once and is sent with those before it, one after the other', async () => {
  const first = choose('board', 'slate');
  assert.equal(dataset.board, 'slate');
  const second = choose('zen', 'on');
  assert.deepEqual([await first, await second], [true, true]);
  assert.deepEqual(sent.at(-1), { board: 'slate', zen: 'on' });
});

test('what could not be sent is sent with the next choice', async () => {
  answer = null;
  assert.equal(await choose('board', 'slate'), false);
  answer = { ok: false, status: 503 };
  assert.equal(await choose('zen', 'on'), false);
  answer = { ok: true, status: 204 };
  assert.equal(await choose('letters', 'on'), true);
  assert.deepEqual(sent.at(-1), { board: 'slate', zen: 'on', letters: 'on' });
});

test('what the server refuses spoils no further choice', async () => {
  answer = { ok: false, status: 400 };
  assert.equal(await choose('board', 'gone'), false);
  answer = { ok: true, status: 204 };
  assert.equal(await choose('zen', 'on'), true);
  assert.deepEqual(sent.at(-1), { zen: 'on' });
});

test('another tab hears of each choice, also of one that it knew before, and of nothing else', async () => {
  mock.timers.enable({ apis: ['Date'] });
  for (const board of ['slate', 'clay', 'clay']) {
    const before = stored.get('preferences');
    mock.timers.tick(1);
    await choose('board', board);
    assert.notEqual(stored.get('preferences'), before, 'browsers tell of no text that is the same');
    dataset.theme = 'dark'; // as the server wrote it into that page
    listeners.storage({ key: 'preferences' });
    assert.deepEqual(dataset, { board, theme: 'dark' });
  }
  mock.timers.reset();
});

test('a page that was kept aside makes up for all that it missed', async () => {
  await choose('board', 'clay');
  await choose('zen', 'on');
  for (const name of Object.keys(dataset)) delete dataset[name];
  listeners.pageshow({ persisted: false });
  assert.deepEqual(dataset, {});
  listeners.pageshow({ persisted: true });
  assert.deepEqual(dataset, { board: 'clay', zen: 'on' });
});

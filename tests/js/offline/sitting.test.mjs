/** A page sits down at its board, or says that it cannot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sitAt } from '../../../static/js/offline/sitting.js';

globalThis.HTMLElement = class {};

const playing = body => `data:text/javascript,export const sitDown = async (facts, sit) => { ${body} }`;

/** What the page was seated with, and what it says. */
async function seated(facts, t) {
  const said = { dataset: { unloaded: 'Reload the page.' }, textContent: 'Offline.' };
  const note = Object.assign(new HTMLElement(), said);
  t.mock.method(console, 'error', () => {});
  globalThis.document = { getElementById: id => (id === 'offline-note' ? note : null) };
  const seats = [];
  await sitAt(facts, one => seats.push(one));
  return [seats, note.textContent];
}

test('it sits at the game of the server at once', async t => {
  assert.deepEqual(await seated({ game: 'a' }, t), [[{ game: 'a' }], 'Offline.']);
});

test('it sits at a game in this browser when what plays it has come', async t => {
  const offline = playing('sit({ ...facts, game: "b" })');
  assert.deepEqual(await seated({ offline }, t), [[{ offline, game: 'b' }], 'Offline.']);
});

for (const [why, offline] of [
  ['does not come', 'data:text/plain,'],
  ['fails', playing('throw new Error("no rules")')],
]) {
  test(`if what plays it ${why}, the page says what to do`, async t => {
    assert.deepEqual(await seated({ offline }, t), [[], 'Reload the page.']);
  });
}

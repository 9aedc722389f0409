/** The form for a PGN: where what is said of a game stands, and games that are kept as chapters. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import '../english.mjs';
import { Loading } from '../../../static/js/analysis/brought/loading.js';

class Part extends EventTarget {
  disabled = false;
  hidden = true;
  value = '';
  textContent = '';
  maxLength = 100;
  files = /** @type {any[]} */ ([]);
}
const parts = /** @type {Record<string, any>} */ ({});
Object.assign(globalThis, {
  HTMLElement: Part,
  HTMLTextAreaElement: Part,
  HTMLInputElement: Part,
  HTMLButtonElement: Part,
  HTMLFormElement: Part,
  document: {
    getElementById: (/** @type {string} */ id) => (parts[id] ??= new Part()),
    documentElement: { dataset: { member: '' } },
  },
  location: { assign() {} },
});

beforeEach(() => {
  for (const id of Object.keys(parts)) delete parts[id];
});

/** @param {string} name @param {string} text */
async function choose(name, text) {
  const read = Promise.resolve(new TextEncoder().encode(text).buffer);
  parts['pgn-file'].files = [{ name, arrayBuffer: () => read }];
  parts['pgn-file'].dispatchEvent(new Event('change'));
  await read;
  await null;
}

test('a file that is too long is not said to have what another text has', async () => {
  const loading = new Loading(null, () => {});
  const mended = () => loading.mended([{ where: 'line 2', message: 'odd' }]);
  await choose('short.pgn', '1. e4 *');
  assert.equal(parts.pgn.value, '1. e4 *');
  assert.equal(mended(), 'Read with changes: short.pgn, line 2: odd.');
  await choose('long.pgn', '1. d4 *'.repeat(100));
  assert.equal(parts.pgn.value, '1. e4 *');
  assert.match(parts['load-says'].textContent, /too long/);
  assert.equal(mended(), 'Read with changes: short.pgn, line 2: odd.');
});

test('whoever clicks twice keeps the games once, and can try again if that was refused', async () => {
  const answers = [
    { status: 400, said: { message: 'There are too many studies.' } },
    { status: 200, said: { id: 's', added: ['c'], notices: [] } },
  ];
  const fetch = mock.method(globalThis, 'fetch', async () => {
    const { status, said } = /** @type {any} */ (answers.shift());
    return new Response(JSON.stringify(said), { status });
  });
  const loading = new Loading(null, () => {});
  const button = parts['load-chapters'];
  const press = () => button.disabled || button.dispatchEvent(new Event('click'));
  loading.offer(2);
  for (const asked of [1, 2]) {
    press();
    press();
    await new Promise(setImmediate);
    assert.equal(fetch.mock.callCount(), asked);
  }
  assert.ok(button.disabled);
  mock.restoreAll();
});

/** Requests to the server: what comes of each answer, and of none. */
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import '../english.mjs';
import { fromGame } from '../../../static/js/analysis/study.js';
import { fetchFens } from '../../../static/js/round/earlier_positions.js';
import { RequestFailed, request, requestJson } from '../../../static/js/net/requests.js';

afterEach(() => mock.restoreAll());

const PORTAL = '<!doctype html><title>Sign in to this network</title>';

test('a server that never answers is unreachable after twenty seconds', async () => {
  const patience = new AbortController();
  const timeout = mock.method(AbortSignal, 'timeout', () => patience.signal);
  mock.method(
    globalThis,
    'fetch',
    (_path, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const answer = request('/api/me');
  patience.abort();
  assert.equal(await answer, null);
  assert.deepEqual(timeout.mock.calls[0].arguments, [20_000]);
});

test('a page of somebody else in the place of an answer means that the server was not reached', async () => {
  mock.method(globalThis, 'fetch', async () => new Response(PORTAL));
  await assert.rejects(
    fromGame({}, 'g1', null),
    error => error instanceof RequestFailed && /reach/.test(error.message),
  );
  assert.equal(await fetchFens('g1'), null);
});

test('so does the half of a PGN', async () => {
  const half = new ReadableStream({ start: stream => stream.error(new TypeError('terminated')) });
  mock.method(globalThis, 'fetch', async path =>
    path.endsWith('.pgn') ? new Response(half) : Response.json({ annotated: true }),
  );
  await assert.rejects(fromGame({}, 'g1', null), RequestFailed);
});

test('an answer that was cut off is an error that the person is told of', async () => {
  const cut = () => new ReadableStream({ start: stream => stream.error(new TypeError('terminated')) });
  mock.method(globalThis, 'fetch', async () => new Response(cut()));
  const told = error => error instanceof RequestFailed && /reach/.test(error.message);
  await assert.rejects(requestJson('/api/games', 'POST', {}, 'not made'), told);
  mock.method(globalThis, 'fetch', async () => new Response(cut(), { status: 503 }));
  await assert.rejects(requestJson('/api/games', 'POST', {}, 'not made'), /^Error: not made$/);
});

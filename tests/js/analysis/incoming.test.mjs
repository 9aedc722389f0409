/** What has been asked for to replace everything on the analysis board: the last request counts. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import '../english.mjs';
import { Incoming } from '../../../static/js/analysis/brought/incoming.js';
import { RequestFailed } from '../../../static/js/net/requests.js';

/** A board, and sources that answer when the test says. */
function scene() {
  const shown = [];
  const incoming = new Incoming(
    study => shown.push(study),
    words => shown.push(`refused: ${words}`),
  );
  const ask = () => {
    const given = {};
    const answer = new Promise((resolve, reject) => {
      given.answer = resolve;
      given.refuse = reason => reject(new RequestFailed(reason));
      given.fail = reject;
    });
    const arrived = incoming.bring({ make: () => answer, refusal: reason => `not ${reason}` });
    return { arrived, ...given };
  };
  return { shown, incoming, ask };
}

test('of two that were asked for the newest counts, whichever comes first', async () => {
  const { shown, ask } = scene();
  const [old, newest] = [ask(), ask()];
  newest.answer('newest');
  old.answer('old');
  assert.deepEqual(await Promise.all([old.arrived, newest.arrived]), [false, true]);
  assert.deepEqual(shown, ['newest']);
});

test('it is expected until it has come, was refused, or something else was put there', async () => {
  const { shown, incoming, ask } = scene();
  const came = ask();
  assert.ok(incoming.expected);
  came.answer('study');
  assert.equal(await incoming.arrived, true);
  assert.ok(!incoming.expected);
  ask().refuse('legal');
  assert.equal(await incoming.arrived, false);
  assert.ok(!incoming.expected);
  const late = ask();
  incoming.forget();
  assert.ok(!incoming.expected);
  late.refuse('heard of');
  assert.equal(await late.arrived, false);
  assert.deepEqual(shown, ['study', 'refused: not legal']);
});

test('an answer that cannot be read releases the board too, and is reported', async () => {
  const { shown, incoming, ask } = scene();
  const reported = mock.method(console, 'error', () => {});
  const cut = ask();
  cut.fail(new TypeError('half an answer'));
  assert.equal(await cut.arrived, false);
  assert.ok(!incoming.expected);
  assert.match(shown.join(), /refused: not .*reach/);
  assert.equal(reported.mock.callCount(), 1);
});

test('nobody waits for an answer that will not be put on the board', async () => {
  const { incoming, ask } = scene();
  const old = ask();
  const newest = ask();
  assert.equal(await old.arrived, false);
  incoming.forget();
  assert.equal(await newest.arrived, false);
});

/** The messages of the engine in a worker. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Session } from '../../../static/js/engine/session.js';
import { all } from './variants.mjs';

/** A session that has been told `tasks`, and its answers up to the first with `last`. */
function told(tasks, last) {
  const answers = [];
  return new Promise(resolve => {
    const session = new Session(
      answer => {
        answers.push(answer);
        if (answer.said === last) resolve({ answers, session });
      },
      () => 0,
    );
    for (const task of tasks) session.take(task);
  });
}
const chess = { do: 'variant', variant: all.get('chess') };

test('it answers with what it thinks and then with the best move', async () => {
  const tasks = [chess, { do: 'position', moves: ['e2e4'], chess960: false }, { do: 'go', limits: { depth: 3 } }];
  const { answers } = await told(tasks, 'best');
  assert.deepEqual(
    answers.map(({ said, thought }) => [said, thought?.depth]),
    [
      ['thought', 1],
      ['thought', 2],
      ['thought', 3],
      ['best', undefined],
    ],
  );
  assert.equal(answers[3].move, answers[2].thought.line[0]);
});

test('"stop" is heard between two depths', async () => {
  const tasks = [chess, { do: 'position', moves: [], chess960: false }, { do: 'go', limits: {} }];
  const { answers, session } = await told(tasks, 'thought');
  session.take({ do: 'stop' });
  await session.before;
  assert.equal(answers.at(-1).said, 'best');
  assert.equal(answers.at(-2).thought.depth, 1);
});

test('what cannot be done is refused, with what it was', async () => {
  const { answers } = await told([{ do: 'position', moves: [], chess960: false }], 'refused');
  assert.deepEqual(answers, [{ said: 'refused', to: 'position', reason: 'there is no variant yet' }]);
});

test('a position that is refused is no position', async () => {
  const tasks = [chess, { do: 'position', moves: ['e2e5'], chess960: false }, { do: 'go', limits: { depth: 1 } }];
  const { answers } = await told(tasks, 'best');
  assert.deepEqual(
    answers.map(({ said }) => said),
    ['refused', 'best'],
  );
  assert.equal(answers[1].move, null);
});

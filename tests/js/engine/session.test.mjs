/** The messages of the engine in a worker. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
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
      setImmediate,
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

test('"stop" is heard while a depth is searched, and the session goes on from the same position', async () => {
  const answers = [];
  let now = 0;
  let pauses = 0;
  // Each look at the clock finds it 10 ms later, so that it pauses at every second chance; the 40th pause is within a depth.
  const session = new Session(
    answer => answers.push(answer),
    () => (now += 10),
    async () => {
      if (++pauses === 40) session.take({ do: 'stop' });
    },
  );
  session.take(chess);
  session.take({ do: 'position', moves: ['e2e4'], chess960: false });
  session.take({ do: 'show' });
  session.take({ do: 'go', limits: { infinite: true, lines: 2 } });
  session.take({ do: 'show' });
  await session.before;
  const [before, after] = answers.filter(({ said }) => said === 'position');
  assert.equal(before.fen, after.fen);
  assert.equal(answers.at(-2).said, 'best');
  assert.ok(pauses >= 40 && pauses < 44, `${pauses}`);
});

/** Nodes that a slow phone looks at in a millisecond, and in the 50 within which "stop" must be obeyed. */
const SLOW = 50;
const SOON = 50 * SLOW;

for (const variant of all.values())
  test(`${variant.id}: "stop" is heard soon, and from then on no node is looked at`, async () => {
    let paused = 0;
    let [last, longest] = [0, 0];
    let atStop = NaN;
    const nodes = () => session.thinker?.search.nodes ?? 0;
    const session = new Session(
      () => {},
      () => nodes() / SLOW,
      async () => {
        longest = Math.max(longest, nodes() - last);
        last = nodes();
        if (++paused !== 25) return;
        session.take({ do: 'stop' });
        atStop = nodes();
      },
    );
    session.take({ do: 'variant', variant });
    session.take({ do: 'position', moves: [], chess960: false });
    session.take({ do: 'go', limits: { infinite: true, lines: 2 } });
    await session.before;
    assert.equal(nodes(), atStop);
    assert.ok(longest <= SOON, `${longest} nodes without a pause`);
  });

test('"stop" holds for what was asked before it, even if more is asked at once', async () => {
  const answers = [];
  const session = new Session(
    answer => answers.push(answer),
    () => performance.now(),
    setImmediate,
  );
  const go = limits => session.take({ do: 'go', limits });
  session.take(chess);
  session.take({ do: 'position', moves: [], chess960: false });
  go({ infinite: true });
  await setImmediate();
  session.take({ do: 'stop' });
  session.take({ do: 'position', moves: ['e2e4'], chess960: false });
  go({ depth: 2 });
  await session.before;
  const bests = answers.filter(({ said }) => said === 'best');
  assert.equal(bests.length, 2);
  assert.ok(answers.at(-2).thought.depth === 2);
});

test('what the other side threatens', async () => {
  const fen = '6k1/5ppp/8/8/8/7P/5PP1/q5K1 w - - 0 1';
  const free = '6k1/5ppp/8/8/8/8/q4PPP/6K1 w - - 0 1';
  const threat = { do: 'go', limits: { depth: 3, threat: true } };
  const { answers } = await told([chess, { do: 'position', fen: free, moves: [], chess960: false }, threat], 'best');
  assert.match(answers.at(-1).move, /^a2[ab]1$/);
  assert.equal(answers.at(-2).thought.mate, 1);
  const inCheck = [chess, { do: 'position', fen, moves: [], chess960: false }, threat];
  const { answers: refused } = await told(inCheck, 'refused');
  assert.equal(refused.at(-1).to, 'go');
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

test('what is proved is told with every move and the best play behind it, and the end of the position that was asked about', async () => {
  const fen = '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1';
  const { answers } = await told([chess, { do: 'prove', fen, chess960: false }], 'proof');
  const [{ proof, ...answer }] = answers;
  assert.deepEqual(answer, { said: 'proof', fen });
  assert.deepEqual([proof.winner, proof.plies], ['white', 1]);
  assert.equal(proof.moves[0].line.length, 1);
  const [slow] = proof.moves.filter(({ plies }) => plies > 1);
  assert.equal(slow.line.length, slow.plies);
  assert.deepEqual(proof.moves.at(-1).winner, null);
  const start = await told([chess, { do: 'prove', fen: all.get('chess').startFen, chess960: false }], 'proof');
  assert.equal(start.answers[0].proof, null);
});

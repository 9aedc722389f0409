/** The computer at the board: it moves once for each turn of its own, answers offers, and lets go of what is overtaken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dropped } from '../../../static/js/computer/mind.js';
import { Opponent, seedOf } from '../../../static/js/computer/opponent.js';

const [BEGIN, AFTER] = ['startpos w', 'after b'];
const thoughtOf = (uci, score = 0, mate = null) => ({ depth: 1, rank: 1, score, mate, line: [uci] });
const settle = () => new Promise(resolve => setImmediate(resolve));
const ply = (uci, fen) => ({ uci, san: uci, left: null, fen });

/** A game in which the computer has Black, as its page knows it. */
const game = (plies, fen, more = {}) => ({
  id: 'abcdefghij',
  status: 'live',
  ended: null,
  startFen: BEGIN,
  chess960: false,
  fen,
  plies: plies.map(uci => ply(uci, null)),
  offers: [],
  sent: null,
  you: 'white',
  seats: { white: {}, black: { level: 4 } },
  clock: {},
  increment: { white: 0, black: 0 },
  ...more,
});

/** A table at which thinking and waiting end when they are told to. */
function table(state, level = 4) {
  const at = { state, asked: [], sent: [], stuck: 0, waits: [], drops: 0, thoughts: [] };
  const mind = {
    think: (place, limits) => new Promise((resolve, reject) => at.asked.push({ place, limits, resolve, reject })),
    drop: () => at.drops++,
  };
  at.opponent = new Opponent(
    {
      mind,
      state: () => at.state,
      send: command => (at.isCut && command.t !== 'move' ? null : at.sent.push(command)),
      thought: thought => at.thoughts.push(thought),
      stuck: () => at.stuck++,
      wait: ms => new Promise(resolve => at.waits.push({ ms, resolve })),
      now: () => 0,
      random: () => 0.5,
    },
    level,
    'black',
  );
  return at;
}

async function moves(at, thought) {
  at.asked.shift().resolve(thought);
  await settle();
  at.waits.shift()?.resolve();
  await settle();
}

test('it thinks in its own turn, once, at its level and with the seed of the game', async () => {
  const at = table(game([], BEGIN));
  at.opponent.follow();
  assert.equal(at.asked.length, 0);
  at.state = game(['e2e4'], AFTER);
  for (let times = 0; times < 3; times++) at.opponent.follow();
  assert.equal(at.asked.length, 1);
  assert.deepEqual(at.asked[0].place, { fen: BEGIN, moves: ['e2e4'], chess960: false });
  assert.deepEqual(at.asked[0].limits, { level: 4, seed: seedOf('abcdefghij') });
  await moves(at, thoughtOf('e7e5'));
  assert.deepEqual(at.sent, [{ t: 'move', ply: 1, uci: 'e7e5', computer: 1 }]);
  assert.equal(at.thoughts.length, 1);
});

test('a move that a takeback has overtaken is not sent', async () => {
  const at = table(game(['e2e4'], AFTER));
  at.opponent.follow();
  at.asked.shift().resolve(thoughtOf('e7e5'));
  await settle();
  at.state = game([], BEGIN);
  at.opponent.follow();
  at.waits.shift().resolve();
  await settle();
  assert.deepEqual(at.sent, []);
  assert.equal(at.drops, 2);
});

test('what is dropped is no fault, and what fails is said', async () => {
  const at = table(game(['e2e4'], AFTER));
  at.opponent.follow();
  at.asked.shift().reject(new Dropped());
  await settle();
  assert.equal(at.stuck, 0);
  at.state = game(['d2d4'], `${AFTER} 2`);
  at.opponent.follow();
  at.asked.shift().reject(new Error('twice'));
  await settle();
  assert.equal(at.stuck, 1);
});

test('a refused move of its own is said, any other refusal is not', async () => {
  const at = table(game(['e2e4'], AFTER));
  at.opponent.follow();
  await moves(at, thoughtOf('e7e5'));
  at.opponent.refused(undefined);
  at.opponent.refused(7);
  assert.equal(at.stuck, 0);
  at.opponent.refused(1);
  assert.equal(at.stuck, 1);
});

test('it resigns when it is sure, and not by a mistake of its level', async () => {
  const long = Array.from({ length: 41 }, () => 'e2e4');
  for (const [sure, sent] of [
    [-1_500, { t: 'resign', computer: 1 }],
    [-300, { t: 'move', ply: 45, uci: 'e7e5', computer: 1 }],
  ]) {
    const at = table(game(long, AFTER));
    for (const more of [0, 2]) {
      at.state = game([...long, ...long.slice(0, more)], `${AFTER} ${more}`);
      at.opponent.follow();
      await moves(at, thoughtOf('e7e5', -1_000));
    }
    at.state = game([...long, ...long.slice(0, 4)], `${AFTER} 4`);
    at.opponent.follow();
    at.asked.shift().resolve(thoughtOf('e7e5', -1_000));
    await settle();
    await moves(at, thoughtOf('e7e5', sure));
    assert.deepEqual(at.sent.at(-1), sent);
  }
});

test('it answers an offer of a draw once, as it stands on its own side', async () => {
  const long = Array.from({ length: 30 }, () => 'e2e4');
  const offers = [{ offer: 5, kind: 'draw', by: 'white' }];
  for (const [score, t] of [
    [200, 'accept'],
    [-200, 'decline'],
  ]) {
    const at = table(game(long, BEGIN, { offers }));
    for (let times = 0; times < 3; times++) at.opponent.follow();
    at.asked.shift().resolve(thoughtOf('e2e4', score));
    await settle();
    assert.deepEqual(at.sent, [{ t, offer: 5, computer: 1 }]);
    assert.equal(at.asked.length, 0);
  }
});

test('without a connection it answers, and resigns, once there is one again', async () => {
  const long = Array.from({ length: 30 }, () => 'e2e4');
  const at = table(game(long, BEGIN, { offers: [{ offer: 5, kind: 'draw', by: 'white' }] }));
  at.isCut = true;
  at.opponent.follow();
  at.asked.shift().resolve(thoughtOf('e2e4', 200));
  await settle();
  at.isCut = false;
  at.opponent.follow();
  at.asked.shift().resolve(thoughtOf('e2e4', 200));
  await settle();
  assert.deepEqual(
    at.sent.map(({ t }) => t),
    ['accept'],
  );
  const lost = table(game([...long, 'e2e4'], AFTER));
  lost.isCut = true;
  for (let turn = 0; turn < 3; turn++) {
    lost.state = game([...long, ...long.slice(0, 2 * turn + 1)], `${AFTER} ${turn}`);
    lost.opponent.follow();
    await moves(lost, thoughtOf('e7e5', -2_000));
  }
  await moves(lost, thoughtOf('e7e5', -2_000));
  lost.isCut = false;
  lost.opponent.follow();
  assert.equal(lost.asked.length, 1);
});

test('it answers an offer also after the move that its maker makes meanwhile', async () => {
  const offers = [{ offer: 5, kind: 'draw', by: 'white' }];
  const at = table(game(['e2e4', 'e7e5'], BEGIN, { offers }));
  at.opponent.follow();
  at.asked.shift().reject(new Dropped());
  await settle();
  at.state = game(['e2e4', 'e7e5', 'g1f3'], AFTER, { offers });
  at.opponent.follow();
  const [move, answer] = at.asked;
  answer.resolve(thoughtOf('b8c6', 0));
  move.resolve(thoughtOf('b8c6'));
  await settle();
  at.waits.shift().resolve();
  await settle();
  assert.deepEqual(
    at.sent.map(({ t }) => t),
    ['decline', 'move'],
  );
});

test('it does nothing once the game is over, and nothing about what it is not asked', async () => {
  const over = { status: 'over', ended: { result: '1-0' } };
  const at = table(game(['e2e4'], AFTER, over));
  at.opponent.follow();
  at.state = game([], BEGIN, { offers: [{ offer: 1, kind: 'rematch', by: 'white' }] });
  at.opponent.follow();
  assert.equal(at.asked.length, 0);
});

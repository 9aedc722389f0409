/** A game that is played offline: each command does what the server would do, and what was not kept has not happened. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile } from '../../../static/js/engine/rules/tables.js';
import { RulesBoard } from '../../../static/js/explain/rules_board.js';
import { begin, drawId, nextGame } from '../../../static/js/offline/beginning.js';
import { bring, isWorthKeeping, told } from '../../../static/js/offline/bringing.js';
import { Overtaken } from '../../../static/js/offline/kept_games.js';
import { shuffledFen } from '../../../static/js/offline/beginning.js';
import { LocalServer } from '../../../static/js/offline/local_server.js';
import { all } from '../engine/variants.mjs';

const chess = all.get('chess');
const tables = compile(chess);
const boardOf = game => {
  const board = new RulesBoard(chess, tables, game.startFen, game.chess960);
  for (const [uci] of game.moves) board.play(uci);
  return board;
};
const asked = (level, color, fen = '') => new URLSearchParams({ level, color, fen });

/** A board in a browser that keeps what it is given, until it is told that it cannot. */
function table(game = begin(asked(3, 'white'), chess, false)) {
  const at = { said: [], kept: [game], removed: [], overtaken: 0, fails: null };
  const put = async next => {
    if (at.fails) throw at.fails;
    at.kept.push(next);
  };
  at.local = new LocalServer(game, {
    kept: { put, remove: async id => void at.removed.push(id) },
    boardOf,
    you: 'You',
    rematch: async () => 'computer/offline/chess?game=next',
    now: () => 5,
    overtaken: () => at.overtaken++,
  });
  at.local.connect(message => at.said.push(message));
  at.send = async command => {
    at.said.length = 0;
    at.local.send(command);
    await at.local.inTurn(async () => {});
    return at.said.map(({ t, refusal }) => refusal ?? t);
  };
  at.move = (ply, uci, computer) => at.send({ t: 'move', ply, uci, ...(computer && { computer: 1 }) });
  return at;
}

test('a move is kept before it is shown, with SAN and the moves that are legal then', async () => {
  const at = table();
  assert.deepEqual(await at.move(0, 'e2e4'), ['moved', 'ok']);
  assert.deepEqual(at.kept.at(-1).moves, [['e2e4', 'e4']]);
  assert.equal(at.kept.at(-1).rev, 1);
  assert.equal(at.said[0].legal, undefined);
  assert.deepEqual(await at.move(1, 'e7e5', true), ['moved', 'ok']);
  assert.ok(at.said[0].legal.split(' ').includes('g1f3'));
  assert.equal(at.local.snapshot().moves.length, 2);
});

test('what is not allowed is refused with the id of a sentence, and changes nothing', async () => {
  const at = table();
  assert.deepEqual(await at.move(0, 'e2e5'), ['illegal']);
  assert.deepEqual(await at.move(1, 'e2e4'), ['stale']);
  assert.deepEqual(await at.move(0, 'e7e5', true), ['not_your_turn']);
  assert.deepEqual(await at.send({ t: 'offer', kind: 'takeback' }), ['nothing_to_take_back']);
  assert.deepEqual(await at.send({ t: 'offer', kind: 'draw' }), ['draw_too_early']);
  assert.deepEqual(await at.send({ t: 'offer', kind: 'rematch' }), ['rematch_too_early']);
  assert.deepEqual(await at.send({ t: 'accept', offer: 1, computer: 1 }), ['offer_gone']);
  assert.deepEqual(await at.send({ t: 'chat', text: 'hi' }), ['going_on']);
  assert.equal(at.kept.length, 1);
});

test('what cannot be kept has not happened, and the next move can', async () => {
  const at = table();
  at.fails = new Error('the disk is full');
  assert.deepEqual(await at.move(0, 'e2e4'), ['not_saved']);
  assert.equal(at.local.snapshot().moves.length, 0);
  at.fails = null;
  assert.deepEqual(await at.move(0, 'd2d4'), ['moved', 'ok']);
});

test('a game that has gone on elsewhere is shown as it stands there', async () => {
  const at = table();
  at.fails = new Overtaken();
  assert.deepEqual(await at.move(0, 'e2e4'), []);
  assert.equal(at.overtaken, 1);
});

test('a takeback is granted at once: so much that the last move can be replaced', async () => {
  const at = table();
  await at.move(0, 'e2e4');
  assert.deepEqual(await at.send({ t: 'offer', kind: 'takeback' }), ['took_back', 'ok']);
  await at.move(0, 'd2d4');
  await at.move(1, 'd7d5', true);
  await at.send({ t: 'offer', kind: 'takeback' });
  assert.deepEqual(at.kept.at(-1).moves, []);
  assert.ok(at.said[0].legal.split(' ').includes('e2e4'));
});

test('the computer answers the offer of a draw; playing on closes it', async () => {
  const at = table();
  await at.move(0, 'e2e4');
  await at.move(1, 'e7e5', true);
  await at.send({ t: 'offer', kind: 'draw' });
  const { offer } = at.said[0];
  assert.deepEqual(await at.send({ t: 'offer', kind: 'draw' }), ['offer_repeated']);
  assert.deepEqual(await at.send({ t: 'decline', offer, computer: 1 }), ['offer_closed', 'ok']);
  assert.deepEqual(await at.send({ t: 'offer', kind: 'draw' }), ['offered', 'ok']);
  const again = at.said[0].offer;
  assert.deepEqual(await at.send({ t: 'accept', offer: again, computer: 1 }), ['offer_closed', 'over', 'ok']);
  assert.equal(at.kept.at(-1).end, 'draw');
});

test('mate ends it, and so does resigning; then nothing but a rematch is possible', async () => {
  const at = table();
  for (const [ply, uci] of ['f2f3', 'e7e5', 'g2g4'].entries()) await at.move(ply, uci, ply % 2);
  assert.deepEqual(await at.move(3, 'd8h4', true), ['moved', 'over', 'ok']);
  assert.deepEqual(at.kept.at(-1).ended, { result: '0-1', winner: 'black', reason: 'checkmate' });
  assert.equal(at.kept.at(-1).moves[3][1], 'Qh4#');
  assert.deepEqual(await at.send({ t: 'resign' }), ['over']);
  assert.deepEqual(await at.send({ t: 'offer', kind: 'rematch' }), ['ok', 'rematch']);
  const other = table();
  await other.send({ t: 'resign', computer: 1 });
  assert.deepEqual(other.kept.at(-1).ended, { result: '1-0', winner: 'white', reason: 'resign' });
  assert.equal(other.kept.at(-1).end, 'computer_resigned');
});

test('a game that is called off is not kept, and none after both have moved', async () => {
  const at = table();
  await at.move(0, 'e2e4');
  assert.deepEqual(await at.send({ t: 'abort' }), ['over', 'ok']);
  assert.equal(at.removed.length, 1);
  const other = table();
  await other.move(0, 'e2e4');
  await other.move(1, 'e7e5', true);
  assert.deepEqual(await other.send({ t: 'abort' }), ['too_late_to_abort']);
});

test('each shuffled start is one that the rules allow, with the rights of its rooks', () => {
  for (const variant of all.values()) {
    if (!variant.chess960) continue;
    const compiled = compile(variant);
    const starts = new Set();
    for (let nth = 0; nth < 40; nth++) {
      const fen = shuffledFen(variant, Math.random);
      starts.add(fen);
      const board = new RulesBoard(variant, compiled, fen, true);
      assert.equal(board.fen, fen, variant.id);
      const [rank] = fen.split('/');
      assert.ok(/r.*k.*r/.test(rank), fen);
      assert.ok((rank.indexOf('b') - rank.lastIndexOf('b')) % 2, fen);
    }
    assert.ok(starts.size > 20);
  }
});

test('a game begins as asked, at level 1 if that makes no sense, and the next with colours swapped', () => {
  const game = begin(asked(9, 'black'), chess, false);
  assert.deepEqual([game.level, game.color, game.startFen], [1, 'black', chess.startFen]);
  const next = nextGame(game, chess);
  assert.deepEqual([next.level, next.color, next.startFen], [1, 'white', chess.startFen]);
  assert.notEqual(next.id, game.id);
  assert.match(drawId(), /^[0-9A-Za-z]{9}z$/);
});

const PLAYED = {
  ...begin(asked(3, 'white'), chess, false),
  id: 'abcdefghiz',
  moves: [['e2e4', 'e4']],
  begun: 1_000,
  played: 4_000,
};
const answers = (status, body) => async path =>
  path === '/api/guest' ? Response.json({ id: 'me' }) : new Response(body, { status });

test('what is told of a game is how long ago it was, whatever the clock here says', () => {
  assert.deepEqual(told(PLAYED, 5_000).moves, ['e2e4']);
  assert.deepEqual([told(PLAYED, 5_000).begun, told(PLAYED, 5_000).played], [4_000, 1_000]);
  assert.deepEqual([told(PLAYED, 0).begun, told(PLAYED, 0).played], [0, 0]);
});

test('only an answer about this very game lets go of it, and only a refusal is kept', async () => {
  const ways = [
    [answers(200, '{"id":"abcdefghiz"}'), 'there', 1, 0],
    [answers(200, '{"id":"another"}'), 'later', 0, 0],
    [answers(200, '<html>sign in to this network</html>'), 'later', 0, 0],
    [answers(403, '{"refusal":"illegal","message":"No."}'), 'refused', 0, 1],
    [answers(403, '<html></html>'), 'later', 0, 0],
    [answers(429, '{"refusal":"rate","message":"Wait."}'), 'later', 0, 0],
    [answers(503, '{"refusal":"storage","message":"Wait."}'), 'later', 0, 0],
    [async () => Promise.reject(new TypeError('offline')), 'later', 0, 0],
    [async path => (path === '/api/guest' ? new Response('{}', { status: 429 }) : assert.fail()), 'later', 0, 0],
  ];
  for (const [send, outcome, removed, put] of ways) {
    const done = { removed: 0, put: 0 };
    const kept = {
      remove: async () => done.removed++,
      put: async ({ rev }) => {
        done.put++;
        assert.equal(rev, 1);
      },
    };
    const brought = await bring(PLAYED, kept, send, 5_000);
    assert.equal(typeof brought === 'string' ? brought : 'refused', outcome);
    assert.deepEqual(done, { removed, put });
  }
});

test('a game in which nobody has moved, or that was called off, is not told', () => {
  assert.ok(isWorthKeeping(PLAYED));
  assert.ok(!isWorthKeeping({ ...PLAYED, moves: [] }));
  assert.ok(!isWorthKeeping({ ...PLAYED, ended: { result: '*', reason: 'abort' } }));
});

/** The game as the page knows it, and what each message of the server makes of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.mjs';
import { freeSeat, fromSnapshot, isMyTurn, withFens, withSentMove } from '../../../static/js/game/model.js';
import { isGap, reduce } from '../../../static/js/game/reduce.js';
import { Navigation, fenAt, isCheckAt } from '../../../static/js/game/navigation.js';
import { chess } from '../variants.mjs';
import { E4, moved, snapshot } from '../snapshot.mjs';

test('a move that was sent stays apart until the server tells it, and ends the turn', () => {
  const sent = withSentMove(fromSnapshot(snapshot(), 0), 7, 'e2e4', 100);
  assert.equal(sent.fen, chess.startFen);
  assert.ok(!isMyTurn(sent));
  const told = reduce(sent, moved(), 200);
  assert.deepEqual([told.sent, told.fen, told.legal, told.v], [null, E4, null, 4]);
  assert.deepEqual(told.plies, [{ uci: 'e2e4', san: 'e4', left: 59000, fen: E4 }]);
  assert.ok(told.canAbort);
});

test('a refused move comes back; the refusal of something else does not take it back', () => {
  const sent = withSentMove(fromSnapshot(snapshot(), 0), 7, 'e2e4', 100);
  assert.equal(reduce(sent, { t: 'error', id: 7, code: 'illegal', message: '' }, 200).sent, null);
  assert.equal(reduce(sent, { t: 'error', id: 6, code: 'rate', message: '' }, 200).sent?.uci, 'e2e4');
});

test('after a reconnect a move on its way is kept only while the server has not got it', () => {
  const sent = withSentMove(fromSnapshot(snapshot(), 0), 7, 'e2e4', 100);
  assert.equal(reduce(sent, snapshot(), 200).sent?.uci, 'e2e4');
  assert.equal(reduce(sent, snapshot({ moves: [['e2e4', 'e4', null]], fen: E4 }), 200).sent, null);
});

test('events twice are events once, and a gap is seen', () => {
  const state = reduce(fromSnapshot(snapshot(), 0), moved(), 0);
  assert.equal(reduce(state, moved(), 5), state);
  assert.ok(isGap(state, moved({ v: 6 })));
  assert.ok(!isGap(state, moved({ v: 5 })));
  assert.ok(isGap(state, { t: 'resumed', v: 5, clock: {} }));
  assert.ok(!isGap(state, { t: 'resumed', v: 4, clock: {} }));
  assert.ok(!isGap(state, snapshot({ v: 90 })));
});

test('what was missed brings no legal moves; the end of it does', () => {
  const replayed = reduce(fromSnapshot(snapshot({ you: 'black', legal: undefined }), 0), moved(), 0);
  assert.equal(replayed.legal, null);
  const now = reduce(replayed, { t: 'resumed', v: 4, clock: { white: 1, black: 2, run: 'black' }, legal: 'e7e5' }, 9);
  assert.deepEqual([now.legal, now.clock.black, now.clockAt], [['e7e5'], 2, 9]);
});

test('takeback, offers, end, rematch, chat, friends', () => {
  let state = reduce(fromSnapshot(snapshot(), 0), moved(), 0);
  state = reduce(
    state,
    { t: 'took_back', v: 5, plies: 0, fen: chess.startFen, check: false, clock: {}, legal: 'e2e4' },
    0,
  );
  assert.deepEqual([state.plies.length, state.legal], [0, ['e2e4']]);
  state = reduce(state, { t: 'offered', v: 6, offer: 1, kind: 'draw', by: 'black' }, 0);
  assert.equal(state.offers.length, 1);
  state = reduce(state, { t: 'offer_closed', v: 7, offer: 1, kind: 'draw', how: 'declined' }, 0);
  assert.equal(state.offers.length, 0);
  state = reduce(state, { t: 'said', v: 8, line: { room: 'players', name: 'Bo', text: 'hi', at: 0 } }, 0);
  state = reduce(state, { t: 'over', v: 9, ended: { result: '1-0', winner: 'white', reason: 'resign' }, clock: {} }, 0);
  assert.deepEqual([state.status, state.legal, state.canAbort, state.chat.length], ['over', null, false, 1]);
  assert.equal(reduce(state, { t: 'rematch', v: 10, next: 'next' }, 0).next, 'next');
  const open = fromSnapshot(snapshot({ status: 'open', you: null, black: {}, invited: true }), 0);
  assert.equal(freeSeat(open), 'black');
  const live = reduce(open, { t: 'joined', v: 4, side: 'black', seat: { name: 'Cy' }, clock: {} }, 0);
  assert.deepEqual([live.status, live.seats.black.name, freeSeat(live), live.legal], ['live', 'Cy', null, null]);
});

test('looking back: positions seen are kept, others come from the record, the end is the game itself', () => {
  let state = fromSnapshot(
    snapshot({
      moves: [
        ['e2e4', 'e4', 1],
        ['e7e5', 'e5', 1],
        ['f1b5', 'Bb5+', 1],
      ],
      fen: 'now w',
    }),
    0,
  );
  assert.deepEqual(
    [0, 1, 3].map(ply => fenAt(state, ply)),
    [chess.startFen, null, 'now w'],
  );
  state = withFens(state, ['a', 'b', 'c']);
  assert.deepEqual([fenAt(state, 1), fenAt(state, 3)], ['a', 'now w']);
  assert.ok(isCheckAt({ ...state, check: true }, 3));
  const navigation = new Navigation();
  navigation.step(state, -1);
  assert.equal(navigation.shown(state), 2);
  navigation.step(state, Infinity);
  assert.equal(navigation.ply, null);
  navigation.goTo(state, -5);
  assert.equal(navigation.ply, 0);
});

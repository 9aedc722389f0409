import assert from 'node:assert/strict';
import { test } from 'node:test';
import './english.mjs';
import { parseFen } from '../../static/js/board/position.js';
import { beginIn, formatClock, isLow, remaining, speakClock, terms } from '../../static/js/game/clock.js';
import { readMove } from '../../static/js/game/entry.js';
import {
  freeSeat,
  fromSnapshot,
  held,
  isGap,
  isMyTurn,
  moveSent,
  reduce,
  withFens,
} from '../../static/js/game/model.js';
import { Navigation, fenAt, isCheckAt } from '../../static/js/game/moves.js';
import { speakSan } from '../../static/js/game/san.js';
import { Announcer } from '../../static/js/round/announcer.js';
import { TimeToBegin } from '../../static/js/round/time_to_begin.js';
import {
  claimWords,
  endingWords,
  goesOnWords,
  connectionWords,
  offerWords,
  presenceWords,
  resultWords,
} from '../../static/js/round/words.js';
import { acedrex, chess, crazyhouse, grand, seirawan, shogun } from './variants.mjs';

const E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
const snapshot = (more = {}) => ({
  t: 'snapshot',
  epoch: 'x',
  v: 3,
  game: 'abcdefghij',
  variant: 'chess',
  chess960: false,
  rated: false,
  you: 'white',
  status: 'live',
  white: { id: 'a', name: 'Ann' },
  black: { id: 'b', name: 'Bo' },
  start_fen: chess.startFen,
  fen: chess.startFen,
  check: false,
  turn: 'white',
  moves: [],
  legal: 'e2e4 d2d4',
  clock: { white: 60000, black: 60000 },
  initial: [60000, 60000],
  increment: [0, 0],
  offers: [],
  can_abort: true,
  chat: [],
  invited: false,
  ...more,
});
const moved = (more = {}) => ({
  t: 'moved',
  v: 4,
  ply: 0,
  uci: 'e2e4',
  san: 'e4',
  fen: E4,
  clock: { white: 59000, black: 60000, run: 'black' },
  ...more,
});

test('a move that was sent stays apart until the server tells it, and ends the turn', () => {
  const sent = moveSent(fromSnapshot(snapshot(), 0), 7, 'e2e4', 100);
  assert.equal(sent.fen, chess.startFen);
  assert.ok(!isMyTurn(sent));
  const told = reduce(sent, moved(), 200);
  assert.deepEqual([told.sent, told.fen, told.legal, told.v], [null, E4, null, 4]);
  assert.deepEqual(told.plies, [{ uci: 'e2e4', san: 'e4', left: 59000, fen: E4 }]);
  assert.ok(told.canAbort);
});

test('a refused move comes back; the refusal of something else does not take it back', () => {
  const sent = moveSent(fromSnapshot(snapshot(), 0), 7, 'e2e4', 100);
  assert.equal(reduce(sent, { t: 'error', id: 7, code: 'illegal', message: '' }, 200).sent, null);
  assert.equal(reduce(sent, { t: 'error', id: 6, code: 'rate', message: '' }, 200).sent?.uci, 'e2e4');
});

test('after a reconnect a move on its way is kept only while the server has not got it', () => {
  const sent = moveSent(fromSnapshot(snapshot(), 0), 7, 'e2e4', 100);
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

test('clocks count from when the server spoke; ours stands still when the move is sent', () => {
  const state = { ...fromSnapshot(snapshot({ clock: { white: 9500, black: 60000, run: 'white' } }), 1000) };
  assert.equal(remaining(state, 'white', 3000), 7500);
  assert.equal(remaining(state, 'black', 3000), 60000);
  assert.equal(remaining(state, 'white', 99000), 0);
  assert.equal(remaining(moveSent(state, 1, 'e2e4', 2000), 'white', 9000), 8500);
  assert.equal(remaining({ ...state, clock: {} }, 'white', 3000), null);
  assert.ok(isLow(state, 'white', 5999));
  assert.ok(!isLow(state, 'white', 6000));
});

test('from the moment the server says that it restarts the clocks are held, until it speaks of them again', () => {
  const state = fromSnapshot(snapshot({ clock: { white: 60000, black: 60000, run: 'white', begin: 30000 } }), 1000);
  const down = held(held(state, 4000), 8000);
  assert.deepEqual([remaining(down, 'white', 9000), beginIn(down, 9000)], [57000, 27000]);
  assert.equal(remaining(moveSent(down, 1, 'e2e4', 7000), 'white', 9000), 57000);
  const back = reduce(down, { t: 'resumed', v: 3, clock: { white: 57000, black: 60000, run: 'white' } }, 10000);
  assert.equal(remaining(back, 'white', 12000), 55000);
  assert.equal(remaining(reduce(down, snapshot({ clock: state.clock }), 10000), 'white', 11000), 59000);
});

test('what one reads of a lost connection is for who one is: only who can move is told what becomes of a move', () => {
  const player = fromSnapshot(snapshot(), 0);
  assert.match(connectionWords('down', player), /A move you make now will be sent/);
  for (const other of [
    { ...player, you: null },
    { ...player, status: 'over' },
    { ...player, status: 'adjourned' },
  ])
    assert.equal(connectionWords('down', other), 'Connection lost. Reconnecting...');
});

test('clocks that stand since the server was away say when they go on', () => {
  const state = {
    ...fromSnapshot(snapshot({ clock: { white: 1, black: 1, paused: 'restart' } }), 0),
    crowd: { resume_in: 15000 },
    crowdAt: 2000,
  };
  assert.equal(goesOnWords(state, 4500), 'The clocks start again in 13 s, or as soon as you are both back.');
  assert.equal(
    goesOnWords({ ...state, you: null }, 4500),
    'The clocks start again in 13 s, or as soon as both players are back.',
  );
  assert.equal(goesOnWords({ ...state, crowd: {} }, 4500), '');
  assert.equal(goesOnWords({ ...state, clock: { white: 1, black: 1, run: 'white' } }, 4500), '');
});

test('a claim says why it can be made, as the seat does', () => {
  assert.match(claimWords('left', 9), /^Your opponent has left\. .* in 9 s/);
  assert.match(claimWords('lost', 9), /connection is lost\. .* in 9 s/);
  assert.match(claimWords('lost', 0), /connection is lost\. You may claim the win/);
  assert.match(claimWords('away', 9), /not here\. .* in 9 s/);
});

test('an adjournment, and who is ready to go on, is said aloud', () => {
  const said = [];
  const announcer = new Announcer(chess, text => said.push(text), { play() {} });
  const before = fromSnapshot(snapshot(), 0);
  for (const adjourned of [{ at: 1 }, { at: 1, black: 2 }, { at: 1, white: 3, black: 2 }]) {
    const message = { t: 'adjourned', v: before.v + 1, adjourned, clock: {} };
    announcer.happened(before, reduce(before, message, 0), message);
  }
  assert.match(said[0], /^The game is adjourned\. .*ready and here/);
  assert.match(said[1], /Your opponent is ready to resume/);
  assert.match(said[2], /You are both ready/);
});

test('whose account is deleted is not announced as having come', () => {
  const said = [];
  const announcer = new Announcer(chess, text => said.push(text), { play() {} });
  const state = fromSnapshot(snapshot(), 0);
  for (const seat of [
    { id: 'b', name: '(deleted)', deleted: 1 },
    { id: 'c', name: 'Cy' },
  ])
    announcer.happened(state, state, { t: 'joined', v: 4, side: 'black', seat, clock: {} });
  assert.deepEqual(said, ['Cy has joined and plays Black.']);
});

test('clocks and terms in figures and in words', () => {
  assert.deepEqual([9940, 10000, 245000, 3723000, 187200000].map(formatClock), [
    '0:09.9',
    '0:10',
    '4:05',
    '1:02:03',
    '2 d 4 h',
  ]);
  assert.equal(speakClock(245000), '4 minutes 5 seconds');
  assert.equal(terms(fromSnapshot(snapshot({ initial: [300000, 300000], increment: [3000, 3000] }), 0)), '5+3');
  assert.equal(terms(fromSnapshot(snapshot({ initial: [300000, 60000] }), 0)), '5+0 against 1+0');
  assert.equal(terms(fromSnapshot(snapshot({ initial: [30000, 30000] }), 0)), '0.5+0');
  assert.equal(terms(fromSnapshot(snapshot({ initial: [5000, 5000] }), 0)), '5 s+0');
  assert.equal(terms(fromSnapshot(snapshot({ initial: [null, null], days: 3 }), 0)), '3 days a move');
});

const read = (text, variant, fen, legal) => {
  const entry = readMove(text, variant, parseFen(fen), legal.split(' '));
  return 'uci' in entry ? entry.uci : entry.problem;
};

test('typed moves, as people type them', () => {
  const start = 'e2e4 d2d4 g1f3 b1c3';
  for (const text of ['e4', 'e2e4', 'E2-E4', 'e2 e4', 'Pe4', 'e4!'])
    assert.equal(read(text, chess, chess.startFen, start), 'e2e4', text);
  for (const text of ['Nf3', 'nf3', 'Ngf3', 'N1f3', 'Nf3+'])
    assert.equal(read(text, chess, chess.startFen, start), 'g1f3', text);
  assert.match(read('Nf6', chess, chess.startFen, start), /not legal/);
  assert.match(read('hello', chess, chess.startFen, start), /not a move/);
});

test('a pawn takes only by its file, so that a step that came too late takes nothing', () => {
  const blocked = '4k3/8/8/4p3/3PP3/8/8/4K3 w - - 0 1';
  assert.match(read('e5', chess, blocked, 'd4d5 d4e5'), /not legal/);
  assert.match(read('e6', chess, '4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1', 'd5d6 d5e6'), /not legal/);
  for (const text of ['dxe5', 'de5', 'd4e5']) assert.equal(read(text, chess, blocked, 'd4d5 d4e5'), 'd4e5', text);
});

test('whatever the variant calls a pawn is typed without its letter', () => {
  const { p, ...pieces } = chess.roles;
  const footmen = { ...chess, roles: { ...pieces, f: p } };
  assert.equal(read('e4', footmen, '4k3/8/8/8/8/8/4F3/4K3 w - - 0 1', 'e2e3 e2e4 e1d1'), 'e2e4');
});

test('typed castling, in both writings and by the squares', () => {
  const fen = '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1';
  for (const text of ['O-O', '0-0', 'oo', 'e1g1', 'e1h1'])
    assert.equal(read(text, chess, fen, 'e1g1 e1c1'), 'e1g1', text);
  assert.equal(read('0-0-0', chess, fen, 'e1g1 e1c1'), 'e1c1');
  assert.equal(read('O-O', chess, fen, 'e1h1 e1a1'), 'e1h1');
});

test('typed promotions, drops, gates, two-digit ranks', () => {
  const pawn = '8/P6k/8/8/8/8/8/K7 w - - 0 1';
  for (const text of ['a8=R', 'a8R', 'a7a8r']) assert.equal(read(text, chess, pawn, 'a7a8q a7a8r'), 'a7a8r', text);
  assert.match(read('a8', chess, pawn, 'a7a8q a7a8r'), /=Q, =R/);
  const tenth = '10/10/P9/10/10/10/10/10/10/10 w - - 0 1';
  assert.equal(read('a9', grand, tenth, 'a8a9 a8a9q'), 'a8a9');
  const hand = '4k3/8/8/8/8/8/8/4K3[PN] w - - 0 1';
  for (const text of ['@e4', 'P@e4', 'p@e4'])
    assert.equal(read(text, crazyhouse, hand, 'P@e4 N@e4 N@f3'), 'P@e4', text);
  assert.equal(read('N@f3', crazyhouse, hand, 'P@e4 N@e4 N@f3'), 'N@f3');
  const first = 'b1c3 b1c3h b1c3e';
  assert.equal(read('Nc3', seirawan, seirawan.startFen, first), 'b1c3');
  assert.equal(read('Nc3/H', seirawan, seirawan.startFen, first), 'b1c3h');
  const castle = '4k3/8/8/8/8/8/8/4K2R[H] w K - 0 1';
  assert.equal(read('O-O/Hh1', seirawan, castle, 'e1g1 e1g1h h1e1h'), 'h1e1h');
  assert.match(read('O-O/H', seirawan, castle, 'e1g1 e1g1h h1e1h'), /e1 or .*h1/);
  const captain = '4k3/8/8/P7/8/8/8/4K3[] w - - 0 1';
  assert.equal(read('a6=C', shogun, captain, 'a5a6 a5a6+'), 'a5a6+');
  assert.equal(read('a6+', shogun, captain, 'a5a6 a5a6+'), 'a5a6');
  assert.equal(read('a5a6+', shogun, captain, 'a5a6 a5a6+'), 'a5a6+');
  const giraffe = '12/12/G11/12/12/12/12/12/12/12/12/12 w - - 0 1';
  for (const text of ['a10c7', 'Gc7']) assert.equal(read(text, acedrex, giraffe, 'a10c7 a10d8 a10d12'), 'a10c7', text);
});

test('ambiguous moves say what is missing; a bishop and the b pawn are told apart', () => {
  const knights = '4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1';
  assert.match(read('Nd2', chess, knights, 'b1d2 f1d2'), /b1 or f1/);
  assert.equal(read('nbd2', chess, knights, 'b1d2 f1d2'), 'b1d2');
  const both = '4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1';
  assert.equal(read('bxc3', chess, both, 'b2c3 d2c3'), 'b2c3');
  assert.equal(read('Bxc3', chess, both, 'b2c3 d2c3'), 'd2c3');
});

test('moves for the ear', () => {
  assert.equal(speakSan(chess, 'Nf3+'), 'knight f 3, check');
  assert.equal(speakSan(chess, 'Nxf3'), 'knight takes f 3');
  assert.equal(speakSan(chess, 'exd8=Q#'), 'e takes d 8 becomes queen, mate');
  assert.equal(speakSan(chess, 'O-O-O'), 'castles queenside');
  assert.equal(speakSan(seirawan, 'O-O/Hh1'), 'castles kingside, gating hawk on h 1');
  assert.equal(speakSan(crazyhouse, 'N@f3'), 'knight drops on f 3');
  assert.equal(speakSan(acedrex, 'Ga10c12'), 'giraffe a 10 c 12');
});

test('results, offers and lines in words', () => {
  assert.equal(
    resultWords({ result: '0-1', winner: 'black', reason: 'time' }),
    '0-1. White ran out of time. Black wins.',
  );
  assert.equal(
    resultWords({ result: '0-1', winner: 'black', reason: 'time' }, 'black'),
    '0-1. White ran out of time. You won.',
  );
  assert.equal(
    resultWords({ result: '0-1', winner: 'black', reason: 'time' }, 'white'),
    '0-1. White ran out of time. You lost.',
  );
  assert.equal(resultWords({ result: '1/2-1/2', winner: null, reason: 'stalemate' }, 'white'), '½-½. Stalemate.');
  assert.match(resultWords({ result: '1-0', winner: 'white', reason: 'stalemate' }), /Black has no legal move/);
  assert.match(resultWords({ result: '*', reason: 'abort' }), /aborted/);
  assert.match(offerWords({ offer: 1, kind: 'draw', by: 'white' }, 'black'), /^Your opponent/);
  assert.match(offerWords({ offer: 1, kind: 'draw', by: 'white' }, null), /^White offers/);
  assert.equal(presenceWords({ here: 'lost' }, 12300), 'connection lost 12 s ago');
});

test('whoever waited at the board alone reads that nobody came', () => {
  const ended = { result: '*', winner: null, reason: 'expired' };
  const crowd = { white: { here: 'here' }, black: { here: 'away' }, watchers: 0 };
  const state = { ended, you: 'white', crowd };
  assert.match(endingWords(state), /Your opponent did not turn up/);
  assert.match(endingWords({ ...state, crowd: { ...crowd, black: { here: 'left' } } }), /did not begin in time/);
  assert.match(endingWords({ ...state, you: null }), /did not begin in time/);
  assert.equal(endingWords({ ...state, ended: null }), '');
});

test('how long somebody has been away goes on from what the server says', () => {
  assert.equal(presenceWords({ here: 'lost', since: 39000 }, 1500), 'connection lost 40 s ago');
});

/** What a player hears, and what stands in the title, while a minute to begin passes. */
function listen(you) {
  const state = fromSnapshot(snapshot({ you, clock: { white: 60000, black: 60000, begin: 60000 } }), 0);
  const [heard, titles] = [[], []];
  const said = new TimeToBegin(text => heard.push(text), { play: sound => heard.push(sound) });
  for (let now = 0; now < 60000; now += 500) {
    const title = said.tick(state, now);
    if (title && title !== titles.at(-1)) titles.push(title);
  }
  return { heard, titles };
}

test('whoever begins hears of the time at once, at thirty and at ten seconds, and every second then', () => {
  const { heard, titles } = listen('white');
  const words = heard.filter(text => text !== 'tick');
  assert.deepEqual(
    words.map(text => /\d+ \w+/.exec(text)?.[0]),
    ['1 minute', '30 seconds', '10 seconds'],
  );
  assert.equal(heard.length - words.length, 10);
  assert.deepEqual([titles[0], titles.at(-1), titles.length], ['0:10', '0:01', 10]);
});

test('the opponent of who begins hears it once, and a watcher nothing', () => {
  assert.deepEqual(
    listen('black').heard.map(text => text.slice(0, 13)),
    ['Your opponent'],
  );
  assert.deepEqual(listen(null), { heard: [], titles: [] });
});

test('a move on its way, the second move and the end take the time to begin away', () => {
  const state = fromSnapshot(snapshot({ clock: { white: 60000, black: 60000, begin: 20000 } }), 0);
  assert.equal(beginIn(state, 5000), 15000);
  assert.equal(beginIn(moveSent(state, 1, 'e2e4', 100), 5000), null);
  assert.equal(beginIn(reduce(state, moved(), 200), 5000), null);
});

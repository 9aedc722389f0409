/** Sentences of the game's page: results, offers, connection, seats. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.mjs';
import { fromSnapshot } from '../../../static/js/game/model.js';
import { reduce } from '../../../static/js/game/reduce.js';
import { speakSan } from '../../../static/js/game/san.js';
import { adjournmentWords, timeUpWords } from '../../../static/js/round/panel/notice_boxes.js';
import { Announcer } from '../../../static/js/round/announcer.js';
import {
  claimWords,
  connectionWords,
  declinedWords,
  endingReason,
  endingWords,
  offerWords,
  presenceOf,
  presenceWords,
  resultWords,
  resumeWords,
} from '../../../static/js/round/words.js';
import { awayWords, vacationWords } from '../../../static/js/round/vacation.js';
import { acedrex, chess, crazyhouse, seirawan } from '../variants.mjs';
import { E4, moved, snapshot } from '../snapshot.mjs';

test('what one reads of a lost connection is for who one is: only who can move is told what becomes of a move', () => {
  const player = fromSnapshot(snapshot(), 0);
  assert.match(connectionWords({ state: 'down' }, player), /A move you make now is sent/);
  for (const other of [
    { ...player, you: null },
    { ...player, status: 'over' },
    { ...player, status: 'adjourned' },
  ])
    assert.equal(connectionWords({ state: 'down' }, other), 'Connection lost. Reconnecting...');
});

test('a move without an answer for two seconds is said to be sent, and kept while there is no connection', () => {
  const state = { ...fromSnapshot(snapshot(), 0), sent: { id: 1, ply: 0, uci: 'e2e4', at: 1000 } };
  assert.equal(connectionWords({ state: 'open' }, state, 2900), '');
  assert.match(connectionWords({ state: 'open' }, state, 3000), /sent, but not played yet/);
  assert.match(connectionWords({ state: 'down' }, state, 3000), /Your move is kept/);
  assert.equal(connectionWords({ state: 'open' }, { ...state, sent: null }, 9000), '');
});

test('clocks that stand since the server was away say when they go on', () => {
  const state = {
    ...fromSnapshot(snapshot({ clock: { white: 1, black: 1, paused: 'restart' } }), 0),
    presence: { resume_in: 15000 },
    presenceAt: 2000,
  };
  assert.equal(resumeWords(state, 4500), 'The clocks start again in 13 s, or as soon as you are both back.');
  assert.equal(
    resumeWords({ ...state, you: null }, 4500),
    'The clocks start again in 13 s, or as soon as both players are back.',
  );
  assert.equal(resumeWords({ ...state, presence: {} }, 4500), '');
  assert.equal(resumeWords({ ...state, clock: { white: 1, black: 1, run: 'white' } }, 4500), '');
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

test('who is on vacation is told beside their seat, in the box of notices and aloud', () => {
  const said = [];
  const announcer = new Announcer(chess, text => said.push(text), { play() {} });
  const before = fromSnapshot(snapshot({ days: 3 }), 0);
  const told = away => {
    const message = { t: 'vacation', v: before.v + 1, away, clock: { white: 1, black: 1, paused: 'vacation' } };
    const state = reduce(before, message, 0);
    announcer.happened(before, state, message);
    return [awayWords(state, 'white'), awayWords(state, 'black'), vacationWords(state)];
  };
  const [august, may] = [Date.UTC(2026, 7, 4), Date.UTC(2026, 4, 11)];
  const stands = 'The clock stands still meanwhile, but moves can be played.';
  const theirs = `Bo is away until 3 August. ${stands}`;
  assert.deepEqual(told({ black: august }), ['', 'away until 3 August', theirs]);
  const both = `You are away until 10 May. Bo is away until 3 August. ${stands}`;
  assert.deepEqual(told({ white: may, black: august }), ['away until 10 May', 'away until 3 August', both]);
  assert.deepEqual(told(undefined), ['', '', '']);
  assert.deepEqual(said, [theirs, both, 'Nobody is away any more: the clock is running again.']);
});

test('a correspondence game is paused, and goes on when one of its players says so', () => {
  const paused = { at: 1 };
  const words = more => adjournmentWords(fromSnapshot(snapshot({ cap: 9, ...more }), 0), paused);
  assert.match(words({}), /^The game is paused.*Either of you can end the pause/);
  assert.equal(words({ you: null }), 'The game is paused. The clocks stand still.');
});

test('when time is over and the flag falls by hand, each reads what they can do', () => {
  const up = more =>
    timeUpWords(
      fromSnapshot(snapshot({ days: 3, clock: { white: 0, run: 'white' }, by_hand: [false, true], ...more }), 0),
      1,
    );
  assert.match(up({}), /^Your time is up\. You can still move/);
  assert.match(up({ you: 'black' }), /You can claim the win or a draw/);
  assert.match(up({ you: null }), /their opponent decides/);
  assert.equal(up({ by_hand: [true, false] }), '');
  assert.equal(up({ clock: { white: 2, run: 'white' } }), '');
  assert.equal(up({ status: 'over' }), '');
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

test('what arrives as one snapshot is announced as its events would be', () => {
  const [open, ended] = [
    { v: 2, status: 'open', black: {} },
    { result: '1-0', winner: 'white', reason: 'resign' },
  ];
  const ply = { moves: [['e2e4', 'e4', 1]], fen: E4, v: 4 };
  const joined = { t: 'joined', v: 3, side: 'black', seat: { id: 'b', name: 'Bo' }, clock: {} };
  for (const [earlier, event, later] of [
    [open, joined, {}],
    [{}, moved(), ply],
    [ply, { t: 'over', v: 5, ended, clock: {} }, { ...ply, v: 5, status: 'over', ended }],
    [{}, { t: 'clock', v: 4, clock: {}, why: 'given' }, { v: 4 }],
  ]) {
    const before = fromSnapshot(snapshot(earlier), 0);
    const [byEvent, bySnapshot] = [event, snapshot(later)].map(message => {
      const heard = [];
      const sounds = { play: sound => heard.push(sound), move: (...move) => heard.push(...move) };
      const announcer = new Announcer(chess, text => heard.push(text), sounds);
      announcer.happened(before, reduce(before, message, 0), message);
      return heard;
    });
    assert.deepEqual(bySnapshot, byEvent);
  }
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
  assert.match(resultWords({ result: '*', reason: 'abort' }), /The game was aborted/);
  assert.match(
    resultWords({ result: '*', reason: 'abort', by: 'white' }),
    /^White aborted the game. It does not count/,
  );
  assert.match(resultWords({ result: '1/2-1/2', winner: null, reason: 'time' }), /cannot give mate/);
  assert.match(resultWords({ result: '1-0', winner: 'white', reason: 'bare-king' }), /only a king left/);
  assert.equal(resultWords({ result: '1/2-1/2', winner: null, reason: 'unheard-of' }), '½-½. Draw.');
  assert.equal(
    resultWords({ result: '1-0', winner: 'white', reason: 'unheard-of' }),
    '1-0. The game is over. White wins.',
  );
  const seen = (you, toMove) => ({ you, fen: `8/8/8/8/8/8/8/8 ${toMove} - - 0 1` });
  assert.match(offerWords({ offer: 1, kind: 'draw', by: 'white' }, seen('black', 'w')), /^Your opponent/);
  assert.match(offerWords({ offer: 1, kind: 'draw', by: 'white' }, seen(null, 'w')), /^White offers/);
  const takeback = { offer: 1, kind: 'takeback', by: 'white' };
  assert.match(offerWords(takeback, seen('black', 'b')), /for a takeback\.$/);
  assert.match(offerWords(takeback, seen('black', 'w')), /and with it your answer\.$/);
  assert.match(offerWords(takeback, seen('white', 'w')), /and with it the answer\.$/);
  assert.equal(presenceWords({ here: 'lost' }, 12300), 'connection lost 12 s ago');
});

test('in a game by days nobody is missed who is away', () => {
  const presence = { white: { here: 'here', lag: 20 }, black: { here: 'left', since: 3000 } };
  const seen = (/** @type {object} */ terms, side) => presenceOf({ presence, days: null, cap: null, ...terms }, side);
  assert.deepEqual(seen({}, 'black'), presence.black);
  for (const terms of [{ days: 3 }, { cap: 30 }]) {
    assert.deepEqual(seen(terms, 'black'), { here: 'away' });
    assert.deepEqual(seen(terms, 'white'), presence.white);
  }
  assert.equal(presenceOf({ presence: null, days: 3, cap: null }, 'white'), undefined);
});

test('whoever waited at the board alone reads that nobody came', () => {
  const ended = { result: '*', winner: null, reason: 'expired' };
  const presence = { white: { here: 'here' }, black: { here: 'away' }, watchers: 0 };
  const state = { ended, you: 'white', presence };
  assert.match(endingWords(state), /Your opponent did not turn up/);
  assert.match(endingWords({ ...state, presence: { ...presence, black: { here: 'left' } } }), /did not begin in time/);
  assert.match(endingWords({ ...state, you: null }), /did not begin in time/);
  assert.equal(endingWords({ ...state, ended: null }), '');
});

test('how long somebody has been away goes on from what the server says', () => {
  assert.equal(presenceWords({ here: 'lost', since: 39000 }, 1500), 'connection lost 40 s ago');
});

test('below the title, which says who won, stands why', () => {
  const reason = (ended, you = 'white') => endingReason({ ended, you, presence: null });
  assert.equal(reason({ result: '0-1', winner: 'black', reason: 'time' }), '0-1. White ran out of time.');
  assert.equal(reason({ result: '0-1', winner: 'black', reason: 'time' }, null), '0-1. White ran out of time.');
  assert.equal(reason({ result: '1/2-1/2', winner: null, reason: 'agreement' }), '½-½. Draw agreed.');
  assert.match(reason({ result: '*', winner: null, reason: 'abort' }), /aborted. It does not count/);
  assert.equal(reason(null), '');
});

test('a lag is spoken of from where an opponent notices it, and in words', () => {
  assert.equal(presenceWords({ here: 'here' }, 0), 'here');
  assert.equal(presenceWords({ here: 'here', lag: 149 }, 0), 'here');
  assert.equal(presenceWords({ here: 'here', lag: 150 }, 0), 'here, slow connection');
});

test('who made an offer reads that it was declined, and everybody else hears that it no longer stands', () => {
  const heard = you => {
    const said = [];
    const before = fromSnapshot(snapshot({ you, offers: [{ offer: 1, kind: 'draw', by: 'white' }] }), 0);
    const closed = { t: 'offer_closed', v: 4, offer: 1, kind: 'draw', how: 'declined' };
    new Announcer(chess, text => said.push(text), { play() {} }).happened(before, reduce(before, closed, 0), closed);
    return [declinedWords(before, closed), ...said];
  };
  assert.deepEqual(heard('white'), ['Your opponent declines the draw.']);
  const open = fromSnapshot(snapshot({ you: 'white', offers: [{ offer: 1, kind: 'draw', by: 'white' }] }), 0);
  for (const kind of ['draw', 'takeback', 'adjourn', 'pause'])
    assert.match(declinedWords(open, { t: 'offer_closed', v: 4, offer: 1, kind, how: 'lapsed' }), /played on/);
  assert.equal(declinedWords(open, { t: 'offer_closed', v: 4, offer: 1, kind: 'rematch', how: 'lapsed' }), '');
  for (const you of ['black', null]) assert.deepEqual(heard(you), ['', 'The draw offer no longer stands.']);
});

test('a rated game that is too short for a rating says so to everybody', () => {
  const ended = { result: '1-0', winner: 'white', reason: 'time', unrated: true };
  for (const you of ['white', 'black', null]) {
    const state = { you, ended, presence: null };
    for (const words of [endingWords(state), endingReason(state)])
      assert.match(words, /ran out of time\..* It changes no rating, as not both had moved twice\.$/);
  }
  assert.doesNotMatch(endingWords({ you: null, ended: { ...ended, unrated: undefined } }), /rating/);
});

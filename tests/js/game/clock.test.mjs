/** What the clocks show, say and warn of, from what the server has sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.mjs';
import {
  timeToBegin,
  formatClock,
  isLow,
  remaining,
  speakClock,
  timeControlWords,
} from '../../../static/js/game/clock.js';
import { clockFrom, clockTerms, isBullet, isByDays } from '../../../static/js/game/terms.js';
import { clockWords } from '../../../static/js/home/seek_words.js';
import { fromSnapshot, holdClocks, withSentMove } from '../../../static/js/game/model.js';
import { reduce } from '../../../static/js/game/reduce.js';
import { TimeToBegin } from '../../../static/js/round/time_to_begin.js';
import { moved, snapshot } from '../snapshot.mjs';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test('clocks count from when the server spoke; ours stands still when the move is sent', () => {
  const state = { ...fromSnapshot(snapshot({ clock: { white: 9500, black: 60000, run: 'white' } }), 1000) };
  assert.equal(remaining(state, 'white', 3000), 7500);
  assert.equal(remaining(state, 'black', 3000), 60000);
  assert.equal(remaining(state, 'white', 99000), 0);
  assert.equal(remaining(withSentMove(state, 1, 'e2e4', 2000), 'white', 9000), 8500);
  assert.equal(remaining({ ...state, clock: {} }, 'white', 3000), null);
  assert.ok(isLow(state, 'white', 9999));
  assert.ok(!isLow(state, 'white', 10_000));
  for (const [initial, low] of [
    [15_000, 7500],
    [150_000, 15_000],
    [HOUR, 20_000],
  ]) {
    const other = { ...state, initial: { white: initial, black: initial } };
    assert.ok(isLow(other, 'white', low - 1) && !isLow(other, 'white', low), String(initial));
  }
});

test("the computer's clock does not run out while nobody thinks for it", () => {
  const seats = { black: { id: '', name: 'Computer (level 3)', level: 3 } };
  const clock = { white: 60000, black: 60000, run: 'black' };
  const state = fromSnapshot(snapshot({ ...seats, clock }), 1000);
  assert.equal(remaining(state, 'black', 3000), 58000);
  assert.equal(remaining(state, 'black', 1000 + HOUR), 57000);
  assert.equal(remaining({ ...state, clock: { ...clock, run: 'white' } }, 'white', 1000 + HOUR), 0);
});

test('from the moment the server says that it restarts the clocks stand still, until it speaks of them again', () => {
  const state = fromSnapshot(snapshot({ clock: { white: 60000, black: 60000, run: 'white', begin: 30000 } }), 1000);
  const down = holdClocks(holdClocks(state, 4000), 8000);
  assert.deepEqual([remaining(down, 'white', 9000), timeToBegin(down, 9000)], [57000, 27000]);
  assert.equal(remaining(withSentMove(down, 1, 'e2e4', 7000), 'white', 9000), 57000);
  const back = reduce(down, { t: 'resumed', v: 3, clock: { white: 57000, black: 60000, run: 'white' } }, 10000);
  assert.equal(remaining(back, 'white', 12000), 55000);
  assert.equal(remaining(reduce(down, snapshot({ clock: state.clock }), 10000), 'white', 11000), 59000);
});

test('a time control reads the same wherever it stands, as the server writes it', () => {
  assert.equal(clockTerms(''), 'no clock');
  for (const [seconds, words] of [
    [300, '5+0'],
    [30, '0.5+0'],
    [90, '1.5+0'],
    [45, '0.75+0'],
    [10, '0:10+0'],
    [95, '1:35+0'],
    [7_777_777, '129629:37+0'],
  ]) {
    const game = fromSnapshot(snapshot({ initial: [seconds * 1000, seconds * 1000] }), 0);
    assert.deepEqual(
      [clockTerms(`${seconds}+0`), clockWords(`${seconds}+0`), timeControlWords(game)],
      Array(3).fill(words),
    );
  }
});

test('clocks and terms in figures and in words', () => {
  assert.deepEqual([9940, 10000, 245000, 3723000, 187200000, 259199000].map(formatClock), [
    '0:09.9',
    '0:10',
    '4:05',
    '1:02:03',
    '2\u202fd 4\u202fh',
    '3\u202fd 0\u202fh',
  ]);
  assert.equal(speakClock(245000), '4 minutes 5 seconds');
  assert.equal(
    timeControlWords(fromSnapshot(snapshot({ initial: [300000, 300000], increment: [3000, 3000] }), 0)),
    '5+3',
  );
  assert.equal(timeControlWords(fromSnapshot(snapshot({ initial: [300000, 60000] }), 0)), '5+0 against 1+0');
  assert.equal(timeControlWords(fromSnapshot(snapshot({ initial: [30000, 30000] }), 0)), '0.5+0');
  assert.equal(timeControlWords(fromSnapshot(snapshot({ initial: [5000, 5000] }), 0)), '0:05+0');
  assert.equal(timeControlWords(fromSnapshot(snapshot({ initial: [null, null], days: 3 }), 0)), '3 days a move');
  assert.equal(speakClock(9 * DAY + 23 * HOUR + 59 * MINUTE), '9 days 23 hours');
});

test('a time bank reads the same everywhere, goes out as it came, and is short in the last hour', () => {
  const text = '10+1/30d';
  const game = fromSnapshot(snapshot({ initial: [10 * DAY, 10 * DAY], increment: [DAY, DAY], cap: 30 * DAY }), 0);
  for (const words of [clockTerms(text), clockWords(text), timeControlWords(game)])
    assert.equal(words, '10+1 days, up to 30');
  assert.deepEqual(clockFrom(text), { kind: 'bank', initial: 10, increment: 1, cap: 30 });
  assert.deepEqual([isByDays(game), isByDays(fromSnapshot(snapshot({ days: 3 }), 0))], [true, true]);
  assert.equal(isByDays(fromSnapshot(snapshot(), 0)), false);
  assert.ok(isLow(game, 'white', HOUR - 1));
  assert.ok(!isLow(game, 'white', HOUR));
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

test('bullet is what is over within three minutes for a side, as on the server', () => {
  const given = (initial, increment = 0) => ({ initial: { white: initial }, increment: { white: increment } });
  const by = (terms, more) => isBullet({ ...terms, days: null, cap: null, ...more });
  assert.deepEqual([by(given(60_000)), by(given(120_000, 1000)), by(given(179_000))], [true, true, true]);
  assert.deepEqual([by(given(180_000)), by(given(120_000, 2000)), by(given(null))], [false, false, false]);
  assert.equal(by(given(60_000), { days: 1 }), false);
});

test('a move on its way, the second move and the end take the time to begin away', () => {
  const state = fromSnapshot(snapshot({ clock: { white: 60000, black: 60000, begin: 20000 } }), 0);
  assert.equal(timeToBegin(state, 5000), 15000);
  assert.equal(timeToBegin(withSentMove(state, 1, 'e2e4', 100), 5000), null);
  assert.equal(timeToBegin(reduce(state, moved(), 200), 5000), null);
});

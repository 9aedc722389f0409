/** Seek alerts: what is kept in the browser, what suits whom, and what a push shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  claimNotification,
  isSeeking,
  matchesAlert,
  speedOf,
  storeAlerts,
  storedAlerts,
  storeSeeking,
} from '../../../static/js/notifications/stored_alerts.js';
import { clockWords, seekWords } from '../../../static/js/home/seek_words.js';
import { listenForPushes } from '../../../static/js/worker/push.js';
import { setCatalogue } from '../../../static/js/words.js';

const NOW = 1_700_000_000_000;
const ALERT = { id: 'a', variants: ['grand', 'chess'], speeds: ['blitz'], rated: false, until: NOW + 1 };
const SEEK = { id: 's', by: 'ben', name: 'Ben', variants: ['grand'], clock: '300+3' };

test('an alert is answered by the same seeks as on the server', () => {
  /** @type {[object, object, boolean][]} */
  const cases = [
    [{}, {}, true],
    [{}, { by: 'me' }, false],
    [{ variants: [] }, { variants: ['acedrex'] }, true],
    [{}, { variants: undefined }, true],
    [{}, { variants: ['acedrex', 'gothic'] }, false],
    [{}, { clock: '60+0' }, false],
    [{ speeds: [] }, { clock: '60+0' }, true],
    [{ speeds: ['correspondence'] }, { clock: '3d' }, true],
    [{}, { rated: 1 }, false],
    [{ rated: true }, { rated: 1 }, true],
    [{ until: NOW }, {}, false],
  ];
  for (const [alert, seek, matched] of cases)
    assert.equal(
      matchesAlert({ ...ALERT, ...alert }, { ...SEEK, ...seek }, 'me', NOW),
      matched,
      JSON.stringify([alert, seek]),
    );
});

test('speeds begin and end where the server has them', () => {
  const speeds = {
    '60+0': 'bullet',
    '139+1': 'bullet',
    '140+1': 'blitz',
    '479+0': 'blitz',
    '480+0': 'rapid',
    '1499+0': 'rapid',
    '1500+0': 'classical',
    '3d': 'correspondence',
    '10+1/30d': 'correspondence',
  };
  for (const [clock, speed] of Object.entries(speeds)) assert.equal(speedOf(clock), speed, clock);
});

test('clocks and seeks in words', () => {
  setCatalogue({
    plural: n => Number(n !== 1),
    texts: {
      'terms.n_days': ['{n} day', '{n} days'],
      'lobby.any_variant': 'Any variant',
      'lobby.wants_white': 'wants White',
      'terms.rated': 'rated',
      'terms.casual': 'casual',
    },
  });
  assert.deepEqual(['300+3', '30+0', '90+2', '1d', '14d'].map(clockWords), [
    '5+3',
    '0.5+0',
    '1.5+2',
    '1 day',
    '14 days',
  ]);
  const named = id => id.toUpperCase();
  assert.equal(seekWords({ ...SEEK, variants: undefined }, named), 'Any variant, 5+3, casual');
  assert.equal(
    seekWords({ ...SEEK, variants: ['chess'], chess960: 1, color: 'white', rated: 1 }, named),
    'CHESS960, 5+3, wants White, rated',
  );
});

/** A browser's storage, or one that is forbidden. */
function storage(forbidden = false) {
  const items = new Map();
  const guard =
    f =>
    (...given) => {
      if (forbidden) throw new Error('forbidden');
      return f(...given);
    };
  globalThis.localStorage = {
    getItem: guard(key => items.get(key) ?? null),
    setItem: guard((key, value) => void items.set(key, value)),
    removeItem: guard(key => void items.delete(key)),
  };
}

test('what is remembered, and who is notified within ten minutes', () => {
  storage();
  assert.equal(storedAlerts(), null);
  storeAlerts({ me: 'me', push: true, alerts: [ALERT] });
  assert.deepEqual(storedAlerts(), { me: 'me', push: true, alerts: [ALERT] });
  storeAlerts({ me: 'me', push: true, alerts: [] });
  assert.equal(storedAlerts(), null);
  assert.deepEqual(
    [0, 599_999, 600_000, 600_001].map(later => claimNotification(NOW + later)),
    [true, false, true, false],
  );
  storeSeeking(['a']);
  assert.equal(isSeeking(), true);
  storeSeeking([]);
  assert.equal(isSeeking(), false);
});

test('a browser without storage still works', () => {
  storage(true);
  storeAlerts({ me: 'me', push: false, alerts: [ALERT] });
  storeSeeking(['a']);
  assert.deepEqual(
    [storedAlerts(), isSeeking(), claimNotification(NOW), claimNotification(NOW)],
    [null, false, true, true],
  );
});

/** A worker's world: what it was told to show and to open. */
function world(pages = []) {
  const listeners = {};
  const done = { shown: [], opened: [], focused: [] };
  listenForPushes({
    addEventListener: (type, listener) => (listeners[type] = listener),
    registration: { showNotification: async (...shown) => void done.shown.push(shown) },
    clients: {
      matchAll: async () => pages.map(url => ({ url, focus: async () => void done.focused.push(url) })),
      openWindow: async url => void done.opened.push(url),
    },
    location: { origin: 'https://chess.example.org' },
  });
  const happen = async (type, event) => {
    let work;
    listeners[type]({ ...event, waitUntil: promise => (work = promise) });
    await work;
    return done;
  };
  const click = url => happen('notificationclick', { notification: { close() {}, data: { url } } });
  return { happen, click };
}

test('what is pushed is shown, a newer notification in place of an older', async () => {
  const pushed = { title: 'Ben', body: 'Grand', url: '/', topic: 'waits' };
  const { shown } = await world().happen('push', { data: { json: () => pushed } });
  assert.deepEqual(shown, [['Ben', { body: 'Grand', tag: 'waits', data: { url: '/' } }]]);
});

test('a click goes to the page that is open, or opens one, and never leads elsewhere', async () => {
  assert.deepEqual((await world().click('/abcdefghij')).opened, ['https://chess.example.org/abcdefghij']);
  const open = await world(['https://chess.example.org/rules', 'https://chess.example.org/#grand']).click('/');
  assert.deepEqual([open.focused, open.opened], [['https://chess.example.org/#grand'], []]);
  const elsewhere = await world().click('https://evil.example.org/');
  assert.deepEqual([elsewhere.focused, elsewhere.opened], [[], []]);
});

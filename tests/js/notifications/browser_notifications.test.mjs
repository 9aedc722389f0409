/** How a page shows a notification, whatever the service worker's state. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { notify } from '../../../static/js/notifications/browser_notifications.js';

const TOLD = ['Ben wants to play', 'Open the lobby', 'waits', '/'];
const BY_WORKER = ['Ben wants to play', { body: 'Open the lobby', tag: 'waits', data: { url: '/' } }];
const BY_PAGE = ['Ben wants to play', { body: 'Open the lobby', tag: 'waits' }];

mock.timers.enable({ apis: ['setTimeout'] });

/** A browser that may notify, with this service worker; what it has shown. */
function browser(serviceWorker) {
  const shown = [];
  class Notification {
    static permission = 'granted';
    constructor(...told) {
      shown.push(told);
    }
  }
  globalThis.window = globalThis;
  globalThis.Notification = Notification;
  Object.defineProperty(globalThis, 'navigator', { value: { serviceWorker }, configurable: true });
  return shown;
}

test('a worker that is still being installed shows it once it is ready', async () => {
  const shown = [];
  const registration = { active: null, showNotification: async (...told) => void shown.push(told) };
  const refused = {
    showNotification: () => Promise.reject(new TypeError('No active registration available on the worker.')),
  };
  let becomeReady;
  const ready = new Promise(resolve => (becomeReady = resolve));
  const byPage = browser({ getRegistration: async () => refused, ready });
  const told = notify(...TOLD);
  becomeReady(registration);
  await told;
  assert.deepEqual([shown, byPage], [[BY_WORKER], []]);
});

test('the page shows it itself where no worker can be installed', async () => {
  const without = browser(undefined);
  await notify(...TOLD);
  assert.deepEqual(without, [BY_PAGE]);
  const failed = browser({ getRegistration: async () => ({}), ready: new Promise(() => {}) });
  const told = notify(...TOLD);
  await new Promise(resolve => setImmediate(resolve));
  mock.timers.tick(5000);
  await told;
  assert.deepEqual(failed, [BY_PAGE]);
});

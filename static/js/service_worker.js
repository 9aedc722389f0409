/**
 * The part of the site that a browser runs beside its pages, even while none is open. It shows pushed messages as
 * notifications; while offline it shows a page that says so, and lets the computer be played; and it brings such games to
 * the server. It never shows an old answer of the server as if it were new.
 */
import { CHANGED, KeptGames } from './offline/kept_games.js';
import { GamesToBring } from './worker/kept_games.js';
import { KeptPages } from './worker/kept_pages.js';
import { answerOffline } from './worker/offline.js';
import { listenForPushes } from './worker/push.js';

const worker = /** @type {any} */ (self);
const games = new GamesToBring(new KeptGames(), navigator.locks, (path, options) => fetch(path, options), tellPages);
listenForPushes(worker);
answerOffline(worker, new KeptPages(worker, Date.now), () => games.bringAll());

async function tellPages() {
  for (const page of await worker.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    page.postMessage(CHANGED);
}

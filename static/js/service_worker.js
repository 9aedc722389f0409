/**
 * The part of the site that a browser runs beside its pages, even while none is open. It shows pushed messages as
 * notifications, and a page of its own while offline; it never shows an old answer of the server.
 */
import { answerOffline } from './worker/offline.js';
import { listenForPushes } from './worker/push.js';

const worker = /** @type {any} */ (self);
listenForPushes(worker);
answerOffline(worker);

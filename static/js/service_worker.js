/**
 * The part of the site that a browser runs while no page is open. It only calls: it answers no page's requests, so it
 * can never show a game as it was.
 */
import { listenForPushes } from './worker/push.js';

listenForPushes(/** @type {any} */ (self));

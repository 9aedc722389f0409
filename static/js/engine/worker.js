/**
 * The engine as a worker of a page: messages in and out are those of session.js. A page that needs it at once may end the
 * worker and take the best move of the last thought; "stop" is heard between two depths.
 *
 * @import { Task } from './session.js'
 */
import { Session } from './session.js';

const session = new Session(
  answer => /** @type {{postMessage(value: unknown): void}} */ (/** @type {unknown} */ (self)).postMessage(answer),
  () => performance.now(),
);

self.addEventListener('message', ({ data }) => session.take(/** @type {Task} */ (data)));

/**
 * The engine as a worker of a page: messages in and out are those of session.js. While it thinks, it hears what it is told
 * within some 10 ms.
 *
 * @import { Task } from './session.js'
 */
import { Session } from './session.js';

/** A message to itself, behind those that wait already: a timer would take 4 ms. */
const { port1, port2 } = new MessageChannel();

/** Resolves when all that the page has said is heard. */
function pause() {
  return new Promise(resolve => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
}

const session = new Session(
  answer => /** @type {{postMessage(value: unknown): void}} */ (/** @type {unknown} */ (self)).postMessage(answer),
  () => performance.now(),
  pause,
);

self.addEventListener('message', ({ data }) => session.take(/** @type {Task} */ (data)));

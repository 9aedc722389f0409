/** The thread in which `npm run engine` thinks: a session, and a number in shared memory that says when to stop. */
import { parentPort, workerData } from 'node:worker_threads';
import { Session } from './js/engine/session.js';

const session = new Session(
  answer => parentPort?.postMessage(answer),
  () => performance.now(),
  () => Atomics.load(workerData, 0) === 1,
);
parentPort?.on('message', task => session.take(task));

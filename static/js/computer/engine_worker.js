/**
 * The engine in a worker of this page: tasks in, answers out, as engine/session.js says. Trusted Types let a page make a
 * worker of no other script than the engine's.
 *
 * @import { Answer, Task } from '../engine/session.js'
 */

/** As the build names it: nothing else becomes a worker. */
const ENGINE = /^\/static\/worker-[0-9A-Z]+\.js$/;

/** @param {string} address @returns {string} @throws {TypeError} if it is not the engine's */
function checked(address) {
  if (ENGINE.test(address)) return address;
  throw new TypeError(`${address} is not the engine`);
}

const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('engine', { createScriptURL: checked });

export class EngineWorker {
  #worker;

  /** @param {string} address @param {(answer: Answer) => void} hear @param {() => void} failed it cannot be loaded, or has met an error */
  constructor(address, hear, failed) {
    this.#worker = new Worker(policy ? policy.createScriptURL(address) : checked(address));
    this.#worker.addEventListener('message', ({ data }) => hear(data));
    this.#worker.addEventListener('error', failed);
  }

  /** @param {Task} task */
  give(task) {
    this.#worker.postMessage(task);
  }

  /** Nothing is heard of it any more. */
  end() {
    this.#worker.terminate();
  }
}

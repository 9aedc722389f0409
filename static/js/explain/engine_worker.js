/**
 * The engine from a page's side: a worker that is told of one position after another, and only what it says of the last
 * one is passed on. Knows no element.
 *
 * @import { Answer, Task } from '../engine/session.js'
 * @import { Limits, Thought } from '../engine/thinking.js'
 * @import { VariantRules } from '../engine/rules/variant_rules.js'
 *
 * @typedef {object} Asked   a position, and how long to think about it
 * @property {string} fen   where its moves begin
 * @property {string[]} moves   UCI; positions that occurred before count as repeated
 * @property {boolean} chess960
 * @property {Limits & {infinite?: boolean, threat?: boolean}} limits
 * @property {string | null} [passed]   for a threat: the FEN with the other side to move; null if that could take the king
 *
 * @typedef {object} Heard
 * @property {(thought: Thought) => void} thought
 * @property {(best: string | null) => void} done   it thinks no more; null: there is no move
 * @property {(reason: string) => void} refused   that cannot be thought about
 * @property {() => void} failed   it has come to an end by itself
 */

export class EngineWorker {
  #worker;
  #heard;
  /** Searches that have not ended. */
  #running = 0;

  /** @param {string} address of the worker's script @param {VariantRules} rules @param {Heard} heard */
  constructor(address, rules, heard) {
    this.#heard = heard;
    this.#worker = new Worker(trusted(address), { type: 'module' });
    this.#worker.addEventListener('message', ({ data }) => this.#hear(data));
    this.#worker.addEventListener('error', () => heard.failed());
    this.#tell({ do: 'variant', variant: rules });
  }

  /** Thinks about this and nothing else. @param {Asked} asked */
  think({ fen, moves, chess960, limits }) {
    this.stop();
    this.#running++;
    this.#tell({ do: 'position', fen, moves, chess960 });
    this.#tell({ do: 'go', limits });
  }

  /** Forgets what it knows, so that what it says next depends on nothing before. */
  forget() {
    this.#tell({ do: 'forget' });
  }

  stop() {
    if (this.#running) this.#tell({ do: 'stop' });
  }

  /** For good. */
  end() {
    this.#worker.terminate();
  }

  /** @param {Task} task */
  #tell(task) {
    this.#worker.postMessage(task);
  }

  /** @param {Answer} answer */
  #hear(answer) {
    const last = this.#running === 1;
    if (answer.said === 'thought' && last) this.#heard.thought(answer.thought);
    if (answer.said === 'refused' && last) this.#heard.refused(answer.reason);
    if (answer.said !== 'best' && !(answer.said === 'refused' && answer.to === 'go')) return;
    this.#running--;
    if (last && answer.said === 'best') this.#heard.done(answer.move);
  }
}

/** Lets only the site's own files become workers. */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('engine', { createScriptURL: ownFile });

/** @param {string} address @returns {string} */
function ownFile(address) {
  const { origin, pathname } = new URL(address, location.href);
  if (origin === location.origin && pathname.startsWith('/static/')) return pathname;
  throw new Error(`${address} is no file of the site`);
}

/** @param {string} address @returns {string} */
export const trusted = address => (policy ? policy.createScriptURL(address) : ownFile(address));

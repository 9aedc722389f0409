/**
 * Asks the site's own engine how an ending is proved to end, in a worker of its own, whoever thinks about the position besides.
 * The worker begins with the first position that has so few pieces. Knows no element.
 *
 * @import { Answer, Proved, Task } from '../engine/session.js'
 * @import { VariantRules } from '../engine/rules/variant_rules.js'
 */
import { trusted } from './engine_worker.js';

/** Pieces on the board with which the engine may prove anything. */
const MEN = 3;

export class Prover {
  #address;
  #rules;
  #heard;
  /** @type {Worker | null} */
  #worker = null;

  /** @param {string} address of the worker's script @param {VariantRules} rules @param {(fen: string, proof: Proved) => void} heard */
  constructor(address, rules, heard) {
    this.#address = address;
    this.#rules = rules;
    this.#heard = heard;
  }

  /** Nothing is heard of it if it cannot be proved. @param {string} fen @param {boolean} chess960 */
  prove(fen, chess960) {
    const pieces = fen.split(/[[ ]/, 1)[0].match(/[a-z]/gi) ?? [];
    if (pieces.length > MEN) return;
    this.#worker ??= this.#begin();
    this.#tell({ do: 'prove', fen, chess960 });
  }

  /** For good. */
  end() {
    this.#worker?.terminate();
  }

  #begin() {
    this.#worker = new Worker(trusted(this.#address), { type: 'module' });
    this.#worker.addEventListener('message', ({ data }) => {
      const answer = /** @type {Answer} */ (data);
      if (answer.said === 'proof' && answer.proof) this.#heard(answer.fen, answer.proof);
    });
    this.#tell({ do: 'variant', variant: this.#rules });
    return this.#worker;
  }

  /** @param {Task} task */
  #tell(task) {
    this.#worker?.postMessage(task);
  }
}

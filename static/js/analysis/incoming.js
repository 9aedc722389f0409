/**
 * What is about to replace all that is on the board: asked for, and not there yet. Of several the newest counts, in
 * whatever order the answers come. Shows nothing.
 *
 * @typedef {import('./sources.js').Source} Source
 * @typedef {import('./study.js').Study} Study
 */
import { JudgeError } from './judge.js';

export class Incoming {
  #put;
  #refuse;
  /** @type {Source | null} */
  #source = null;
  /** @type {Promise<boolean>} */
  #arrived = Promise.resolve(true);

  /** @param {(study: Study) => void} put @param {(words: string) => void} refuse why it is not put there */
  constructor(put, refuse) {
    this.#put = put;
    this.#refuse = refuse;
  }

  /** Whether what is on the board has only a moment left. */
  get expected() {
    return this.#source !== null;
  }

  /** @returns {Promise<boolean>} as that of the last `bring` */
  get arrived() {
    return this.#arrived;
  }

  /** Something else was put on the board meanwhile. */
  forget() {
    this.#source = null;
  }

  /**
   * @param {Source} source
   * @returns {Promise<boolean>} whether it is on the board now; not when it was refused, or something newer was asked for
   */
  bring(source) {
    this.#source = source;
    this.#arrived = this.#make(source);
    return this.#arrived;
  }

  /** @param {Source} source @returns {Promise<boolean>} */
  async #make(source) {
    try {
      const study = await source.make();
      if (this.#source !== source) return false;
      this.#source = null;
      this.#put(study);
      return true;
    } catch (error) {
      if (!(error instanceof JudgeError)) throw error;
      if (this.#source !== source) return false;
      this.#source = null;
      this.#refuse(source.refusal(error.message));
      return false;
    }
  }
}

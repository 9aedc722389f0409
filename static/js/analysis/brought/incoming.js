/**
 * What is to replace everything on the board, and is still on its way. The last request counts, in
 * whatever order the answers arrive. Shows nothing.
 *
 * @typedef {import('./sources.js').Source} Source
 * @typedef {import('../study.js').Study} Study
 */
import { RequestFailed } from '../../net/requests.js';
import { t } from '../../words.js';

export class Incoming {
  #put;
  #refuse;
  /** @type {Source | null} */
  #source = null;
  /** @type {Promise<boolean>} */
  #arrived = Promise.resolve(true);
  /** @type {(arrived: boolean) => void} */
  #settle = () => {};

  /** @param {(study: Study) => void} put @param {(words: string) => void} refuse   says why it is not put there */
  constructor(put, refuse) {
    this.#put = put;
    this.#refuse = refuse;
  }

  /** Whether something is on its way. */
  get expected() {
    return this.#source !== null;
  }

  /** @returns {Promise<boolean>} as that of the last `bring` */
  get arrived() {
    return this.#arrived;
  }

  /** Something else has been put on the board, or asked for. */
  forget() {
    this.#source = null;
    this.#settle(false);
  }

  /**
   * @param {Source} source
   * @returns {Promise<boolean>} whether it is on the board now; false if it was refused, or something else was asked for since.
   *   Never rejects.
   */
  bring(source) {
    this.forget();
    this.#source = source;
    this.#arrived = new Promise(settle => {
      this.#settle = settle;
    });
    void this.#make(source);
    return this.#arrived;
  }

  /** @param {Source} source */
  async #make(source) {
    /** @type {Study} */
    let study;
    try {
      study = await source.make();
    } catch (error) {
      if (!(error instanceof RequestFailed)) console.error(error);
      if (this.#ends(source, false))
        this.#refuse(source.refusal(error instanceof RequestFailed ? error.message : t('lobby.unreachable')));
      return;
    }
    if (this.#ends(source, true)) this.#put(study);
  }

  /** @param {Source} source @param {boolean} arrived @returns {boolean} false: something else has taken its place */
  #ends(source, arrived) {
    if (this.#source !== source) return false;
    this.#source = null;
    this.#settle(arrived);
    return true;
  }
}

/** How long somebody has been waiting for an opponent: a clock that counts up while the page is open. Knows no seek. */
import { setText } from '../ui/dom.js';

const TICK_MS = 1000;
const MINUTE_S = 60;

export class WaitingTime {
  #element;
  #since = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** Begins at 0:00, unless it is counting already. */
  start() {
    if (this.#timer) return;
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#show(), TICK_MS);
    this.#show();
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    setText(this.#element, '');
  }

  #show() {
    const seconds = Math.round((performance.now() - this.#since) / TICK_MS);
    setText(this.#element, `${Math.floor(seconds / MINUTE_S)}:${String(seconds % MINUTE_S).padStart(2, '0')}`);
  }
}

/**
 * A game without the rest of its page, for a beamer or a stream: a class of the body hides the rest, the screen stays awake, and
 * Escape, the browser's own way out of a full screen, or a button leads back. On TV the address says so, too (`/watch#full`),
 * so that a browser that is started with it, or loads the page anew, shows it at once. Knows no game.
 */
import { buttonById } from '../ui/dom.js';

const FULL = '#full';
const STIRRED_MS = 3_000;

/** Keeps the screen awake while the page is in sight; a browser drops it whenever the page is not. */
class AwakeScreen {
  /** @type {WakeLockSentinel | null} */
  #lock = null;
  #wanted = false;

  constructor() {
    document.addEventListener('visibilitychange', () => void this.#ask());
  }

  /** @param {boolean} wanted */
  want(wanted) {
    this.#wanted = wanted;
    if (wanted) return void this.#ask();
    void this.#lock?.release();
    this.#lock = null;
  }

  async #ask() {
    if (!this.#wanted || document.hidden || (this.#lock && !this.#lock.released)) return;
    // Refused while the battery is low, say: then the screen goes dark as everywhere else.
    const lock = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null;
    if (this.#wanted) this.#lock = lock;
    else void lock?.release();
  }
}

export class BigScreen {
  #awake = new AwakeScreen();
  /** @type {string} */
  #name;
  /** @type {HTMLElement} */
  #leave;
  /** @type {HTMLElement} */
  #enter;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #stirred;

  /**
   * @param {string} name the class that the body has meanwhile @param {HTMLElement} enter what leads in, and has the focus afterwards
   * @param {HTMLElement} leave what leads out, in sight meanwhile @param {() => void} out called when somebody wants to leave
   */
  constructor(name, enter, leave, out) {
    [this.#name, this.#enter, this.#leave] = [name, enter, leave];
    leave.addEventListener('click', out);
    for (const kind of ['pointermove', 'pointerdown']) addEventListener(kind, () => this.isOn && this.#stir());
    addEventListener('keydown', ({ key }) => {
      if (!this.isOn) return;
      if (key === 'Escape') out();
      else this.#stir();
    });
    // The browser has its own ways out of a full screen, of which no key is told.
    document.addEventListener('fullscreenchange', () => !document.fullscreenElement && this.isOn && out());
  }

  get isOn() {
    return document.body.classList.contains(this.#name);
  }

  /** @param {boolean} on */
  turn(on) {
    if (on === this.isOn) return;
    document.body.classList.toggle(this.#name, on);
    this.#leave.hidden = !on;
    this.#awake.want(on);
    if (!on && document.fullscreenElement) void document.exitFullscreen();
    if (on) this.#stir();
    // The focus would be on something that is not in sight.
    (on ? this.#leave : this.#enter).focus();
  }

  /** The pointer and the way out are in sight for a moment after a movement or a key. */
  #stir() {
    document.body.classList.add('stirred');
    clearTimeout(this.#stirred);
    this.#stirred = setTimeout(() => document.body.classList.remove('stirred'), STIRRED_MS);
  }
}

/** Without it, on an iPhone or where it is forbidden, the game fills the window. */
export const askForFullScreen = () => void document.documentElement.requestFullscreen?.().catch(() => undefined);

/** Shows TV alone while the address says so, and lets the buttons and the Escape key change that. */
export function followBigScreen() {
  const enter = buttonById('tv-full');
  const render = () => screen.turn(location.hash === FULL);
  const screen = new BigScreen('tv-alone', enter, buttonById('tv-leave'), () => {
    history.replaceState(null, '', location.pathname + location.search);
    render();
  });
  enter.addEventListener('click', () => {
    askForFullScreen();
    location.hash = FULL;
  });
  addEventListener('hashchange', render);
  render();
}
